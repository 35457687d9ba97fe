# positional_encoding_from_scratch: sine and cosine swapped
# Sine and cosine columns are swapped. Even columns are sines, so row 0 is 0, 1, 0, 1.
def positional_encoding_from_scratch(seq_len, d_model):
    table = np.zeros((seq_len, d_model), dtype=np.float32)
    for position in range(seq_len):
        for column in range(0, d_model, 2):
            angle = position / 10000 ** (column / d_model)
            table[position, column] = np.cos(angle)
            table[position, column + 1] = np.sin(angle)
    return torch.from_numpy(table)
