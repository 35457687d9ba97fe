# positional_encoding: base e instead of 10000
# You take exp(-2i/D), which is a power of e. The base is 10000: its logarithm belongs in the
# exponent.
def sinusoidal_positional_encoding(max_len, d_model):
    positions = torch.arange(max_len, dtype=torch.float32).unsqueeze(1)
    frequencies = torch.exp(-torch.arange(0, d_model, 2).float() / d_model)
    angles = positions * frequencies
    table = torch.zeros(max_len, d_model, dtype=torch.float32)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles[:, : d_model // 2])
    return table
