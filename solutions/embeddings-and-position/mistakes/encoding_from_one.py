# positional_encoding: positions from 1
# Your first row belongs to position 1. Positions are counted from 0, so that row 0 is 0, 1, 0,
# 1, ...
def sinusoidal_positional_encoding(max_len, d_model):
    positions = torch.arange(1, max_len + 1, dtype=torch.float32).unsqueeze(1)
    frequencies = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(10000.0) / d_model))
    angles = positions * frequencies
    table = torch.zeros(max_len, d_model, dtype=torch.float32)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles[:, : d_model // 2])
    return table
