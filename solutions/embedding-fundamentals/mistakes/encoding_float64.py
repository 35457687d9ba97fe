# positional_encoding_from_scratch: left in float64
# Your numbers are right, but the table is float64, NumPy's usual type. Return a float32 tensor:
# in a model the two types do not mix.
def positional_encoding_from_scratch(seq_len, d_model):
    table = np.zeros((seq_len, d_model), dtype=np.float64)
    for position in range(seq_len):
        for column in range(0, d_model, 2):
            angle = position / 10000 ** (column / d_model)
            table[position, column] = np.sin(angle)
            table[position, column + 1] = np.cos(angle)
    return torch.from_numpy(table)
