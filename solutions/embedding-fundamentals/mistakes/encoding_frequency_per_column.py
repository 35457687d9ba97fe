# positional_encoding_from_scratch: a different frequency for every column
# Your cosine has a different frequency from the sine beside it. The two of a pair share one.
def positional_encoding_from_scratch(seq_len, d_model):
    table = np.zeros((seq_len, d_model), dtype=np.float32)
    for position in range(seq_len):
        for column in range(0, d_model, 2):
            angle = position / 10000 ** (column / d_model)
            table[position, column] = np.sin(angle)
            table[position, column + 1] = np.cos(position / 10000 ** ((column + 1) / d_model))
    return torch.from_numpy(table)
