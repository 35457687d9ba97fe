# positional_encoding: 1 - cos in the odd columns
# The odd columns hold 1 - cos. They should be the cosines themselves: row 0 has ones there, and no
# entry is above 1.
def sinusoidal_positional_encoding(max_len, d_model):
    positions = torch.arange(max_len, dtype=torch.float32).unsqueeze(1)
    frequencies = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(10000.0) / d_model))
    angles = positions * frequencies
    table = torch.zeros(max_len, d_model, dtype=torch.float32)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = 1 - torch.cos(angles[:, : d_model // 2])
    return table
