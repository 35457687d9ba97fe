# positional_encoding: sine and cosine stacked and flattened
# The pairs are stacked along a new last axis, flattened, and cut to the width.
def sinusoidal_positional_encoding(max_len, d_model):
    pairs = torch.arange(math.ceil(d_model / 2))
    frequency = torch.exp(-math.log(10000.0) * 2 * pairs / d_model)
    angle = torch.outer(torch.arange(max_len).float(), frequency)
    both = torch.stack((angle.sin(), angle.cos()), dim=2)
    table = both.reshape(max_len, -1)[:, :d_model] if max_len else torch.zeros(0, d_model)
    return table.float()
