# positional_encoding: exponent doubled
# Your frequencies decrease twice as fast as they should. If your range already steps by two, it
# holds 2i; do not multiply it by two again.
def sinusoidal_positional_encoding(max_len, d_model):
    positions = torch.arange(max_len, dtype=torch.float32).unsqueeze(1)
    frequencies = 1.0 / 10000.0 ** (2 * torch.arange(0, d_model, 2).float() / d_model)
    angles = positions * frequencies
    table = torch.zeros(max_len, d_model, dtype=torch.float32)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles[:, : d_model // 2])
    return table
