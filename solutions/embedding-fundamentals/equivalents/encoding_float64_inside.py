# positional_encoding_from_scratch: float64, cast at the end
# One loop over all columns; the angle of a pair is computed twice.
def positional_encoding_from_scratch(seq_len, d_model):
    table = np.zeros((seq_len, d_model))
    for p in range(seq_len):
        for column in range(d_model):
            angle = p / np.power(10000, (2 * (column // 2)) / np.float64(d_model))
            table[p, column] = np.sin(angle) if column % 2 == 0 else np.cos(angle)
    return torch.FloatTensor(table)
