# positional_encoding: a float64 table
# Your numbers are right, but the table is float64. Compute in float64 if you like, and convert
# the result to float32.
def sinusoidal_positional_encoding(max_len, d_model):
    positions = np.arange(max_len)[:, None]
    frequencies = 1.0 / 10000.0 ** (np.arange(0, d_model, 2) / d_model)
    table = np.zeros((max_len, d_model))
    table[:, 0::2] = np.sin(positions * frequencies)
    table[:, 1::2] = np.cos(positions * frequencies)[:, : d_model // 2]
    return torch.from_numpy(table)
