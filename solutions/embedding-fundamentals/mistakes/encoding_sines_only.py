# positional_encoding_from_scratch: no cosines
# Your odd columns stay zero. They are the cosines of the same angles.
def positional_encoding_from_scratch(seq_len, d_model):
    table = np.zeros((seq_len, d_model), dtype=np.float32)
    for position in range(seq_len):
        for column in range(0, d_model, 2):
            table[position, column] = np.sin(position / 10000 ** (column / d_model))
    return torch.from_numpy(table)
