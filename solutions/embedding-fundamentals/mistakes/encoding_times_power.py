# positional_encoding_from_scratch: multiplied by the power
# You multiplied the position by the power of 10000. It should be divided by it, so that later
# columns become slower, not faster.
def positional_encoding_from_scratch(seq_len, d_model):
    table = np.zeros((seq_len, d_model), dtype=np.float32)
    for position in range(seq_len):
        for column in range(0, d_model, 2):
            angle = position * 10000 ** (column / d_model)
            table[position, column] = np.sin(angle)
            table[position, column + 1] = np.cos(angle)
    return torch.from_numpy(table)
