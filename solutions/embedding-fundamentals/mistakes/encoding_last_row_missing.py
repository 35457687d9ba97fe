# positional_encoding_from_scratch: the last row is left out
# Your loop over positions ends one too early, so the last row stays zero. range(n) already excludes
# n.
def positional_encoding_from_scratch(seq_len, d_model):
    table = np.zeros((seq_len, d_model), dtype=np.float32)
    for position in range(seq_len - 1):
        for column in range(0, d_model, 2):
            angle = position / 10000 ** (column / d_model)
            table[position, column] = np.sin(angle)
            table[position, column + 1] = np.cos(angle)
    return torch.from_numpy(table)
