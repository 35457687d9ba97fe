# positional_encoding: exponent i/D instead of 2i/D
# Your frequencies decrease only half as fast as they should. The exponent is 2i/D, where i counts
# the pairs; for the last pair it is almost 1.
def sinusoidal_positional_encoding(max_len, d_model):
    positions = torch.arange(max_len, dtype=torch.float32).unsqueeze(1)
    frequencies = 1.0 / 10000.0 ** (torch.arange((d_model + 1) // 2).float() / d_model)
    angles = positions * frequencies
    table = torch.zeros(max_len, d_model, dtype=torch.float32)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles[:, : d_model // 2])
    return table
