# positional_encoding: integer division in the exponent
# Your exponent is rounded down to a whole number, so all columns have the same frequency.
# Divide with / and not with //.
def sinusoidal_positional_encoding(max_len, d_model):
    positions = torch.arange(max_len, dtype=torch.float32).unsqueeze(1)
    frequencies = 1.0 / 10000.0 ** (torch.arange(0, d_model, 2) // d_model)
    angles = positions * frequencies
    table = torch.zeros(max_len, d_model, dtype=torch.float32)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles[:, : d_model // 2])
    return table
