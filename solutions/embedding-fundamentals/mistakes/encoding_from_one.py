# positional_encoding_from_scratch: positions counted from 1
# Your first row belongs to position 1. Positions are counted from 0, and row 0 is 0, 1, 0, 1.
def positional_encoding_from_scratch(seq_len, d_model):
    table = np.zeros((seq_len, d_model), dtype=np.float32)
    for position in range(seq_len):
        for column in range(0, d_model, 2):
            angle = (position + 1) / 10000 ** (column / d_model)
            table[position, column] = np.sin(angle)
            table[position, column + 1] = np.cos(angle)
    return torch.from_numpy(table)
