# positional_encoding_from_scratch: the exponent is doubled
# Your loop variable goes in steps of two, so it is already the 2i of the formula. You doubled it
# again.
def positional_encoding_from_scratch(seq_len, d_model):
    table = np.zeros((seq_len, d_model), dtype=np.float32)
    for position in range(seq_len):
        for column in range(0, d_model, 2):
            angle = position / 10000 ** (2 * column / d_model)
            table[position, column] = np.sin(angle)
            table[position, column + 1] = np.cos(angle)
    return torch.from_numpy(table)
