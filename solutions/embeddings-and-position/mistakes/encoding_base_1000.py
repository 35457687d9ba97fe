# positional_encoding: base 1000
# The formula has 10000, with four zeros. Yours has 1000, so every wave except the first is too
# fast.
def sinusoidal_positional_encoding(max_len, d_model):
    positions = torch.arange(max_len, dtype=torch.float32).unsqueeze(1)
    frequencies = 1.0 / 1000.0 ** (torch.arange(0, d_model, 2).float() / d_model)
    angles = positions * frequencies
    table = torch.zeros(max_len, d_model, dtype=torch.float32)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles[:, : d_model // 2])
    return table
