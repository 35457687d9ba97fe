# positional_encoding_from_scratch: a single row loses its axis
# For one position your result has the shape [d_model]. Keep both axes, [1, d_model]: leave out
# squeeze.
def positional_encoding_from_scratch(seq_len, d_model):
    table = np.zeros((seq_len, d_model), dtype=np.float32)
    for position in range(seq_len):
        for column in range(0, d_model, 2):
            angle = position / 10000 ** (column / d_model)
            table[position, column] = np.sin(angle)
            table[position, column + 1] = np.cos(angle)
    return torch.from_numpy(table).squeeze()
