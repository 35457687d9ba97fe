# positional_encoding_from_scratch: 1 - cos in the odd columns
# The odd columns hold 1 - cos. They should be the cosines themselves: row 0 has ones there.
def positional_encoding_from_scratch(seq_len, d_model):
    table = np.zeros((seq_len, d_model), dtype=np.float32)
    for position in range(seq_len):
        for column in range(0, d_model, 2):
            angle = position / 10000 ** (column / d_model)
            table[position, column] = np.sin(angle)
            table[position, column + 1] = 1 - np.cos(angle)
    return torch.from_numpy(table)
