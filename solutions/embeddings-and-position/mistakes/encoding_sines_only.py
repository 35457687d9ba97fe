# positional_encoding: sines in all columns
# Your table has no cosines. The columns 1, 3, 5, ... hold the cosine of the same angle as the
# sine column before them, so row 0 is 0, 1, 0, 1, ...
def sinusoidal_positional_encoding(max_len, d_model):
    columns = torch.arange(d_model)
    angles = torch.arange(max_len).float()[:, None] / 10000 ** (2 * (columns // 2) / d_model)
    return torch.sin(angles)
