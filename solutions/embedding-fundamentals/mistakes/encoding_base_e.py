# positional_encoding_from_scratch: the base is e
# You used exp of the exponent, so the base is e. The base is 10000: multiply the exponent by
# log(10000) first.
def positional_encoding_from_scratch(seq_len, d_model):
    table = np.zeros((seq_len, d_model), dtype=np.float32)
    for position in range(seq_len):
        for column in range(0, d_model, 2):
            angle = position / np.exp(column / d_model)
            table[position, column] = np.sin(angle)
            table[position, column + 1] = np.cos(angle)
    return torch.from_numpy(table)
