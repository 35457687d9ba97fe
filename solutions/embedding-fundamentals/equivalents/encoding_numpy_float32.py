# positional_encoding_from_scratch: NumPy in float32 without loops
# Angles as an outer product; sines and cosines interleaved by stacking.
def positional_encoding_from_scratch(seq_len, d_model):
    power = np.float32(10000) ** (np.arange(0, d_model, 2, dtype=np.float32) / np.float32(d_model))
    angles = np.arange(seq_len, dtype=np.float32)[:, None] / power
    table = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(seq_len, d_model)
    return torch.from_numpy(table)
