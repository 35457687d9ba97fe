# positional_encoding: all sines first, then all cosines
# You put all sines into the first half of the columns and all cosines into the second. They
# alternate: sin, cos, sin, cos.
def sinusoidal_positional_encoding(max_len, d_model):
    positions = torch.arange(max_len, dtype=torch.float32).unsqueeze(1)
    frequencies = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(10000.0) / d_model))
    angles = positions * frequencies
    return torch.cat([torch.sin(angles), torch.cos(angles[:, : d_model // 2])], dim=1)
