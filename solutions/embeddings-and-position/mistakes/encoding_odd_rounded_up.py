# positional_encoding: an odd width is rounded up in the formula
# For an odd width your exponents divide by the next even number. D in the formula is the width
# itself, 7 for seven columns.
def sinusoidal_positional_encoding(max_len, d_model):
    even = d_model + d_model % 2
    positions = torch.arange(max_len, dtype=torch.float32).unsqueeze(1)
    frequencies = torch.exp(torch.arange(0, even, 2).float() * (-math.log(10000.0) / even))
    angles = positions * frequencies
    table = torch.stack([angles.sin(), angles.cos()], dim=-1).reshape(max_len, even)
    return table[:, :d_model].float()
