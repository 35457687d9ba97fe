# positional_encoding: NumPy in float32
# The table is made in NumPy and handed over as a tensor; the powers are taken in float32.
def sinusoidal_positional_encoding(max_len, d_model):
    position = np.arange(max_len, dtype=np.float32)[:, np.newaxis]
    exponent = np.arange(0, d_model, 2, dtype=np.float32) / np.float32(d_model)
    angle = position * np.power(np.float32(10000.0), -exponent)
    pe = np.zeros((max_len, d_model), dtype=np.float32)
    pe[:, 0::2] = np.sin(angle)
    pe[:, 1::2] = np.cos(angle)[:, : d_model // 2]
    return torch.from_numpy(pe)
