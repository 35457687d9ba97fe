# positional_encoding_from_scratch: positions as columns
# Your table is transposed, [d_model, seq_len]. Positions are the rows.
def positional_encoding_from_scratch(seq_len, d_model):
    table = np.zeros((seq_len, d_model), dtype=np.float32)
    for position in range(seq_len):
        for column in range(0, d_model, 2):
            angle = position / 10000 ** (column / d_model)
            table[position, column] = np.sin(angle)
            table[position, column + 1] = np.cos(angle)
    return torch.from_numpy(table.T.copy())
