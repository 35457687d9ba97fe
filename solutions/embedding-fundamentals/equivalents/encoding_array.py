# positional_encoding_from_scratch: a float32 array
# Only the numbers count, not what holds them; the type is right.
def positional_encoding_from_scratch(seq_len, d_model):
    table = np.empty((seq_len, d_model))
    for p in range(seq_len):
        for i in range(0, d_model, 2):
            table[p, i] = np.sin(p * 10000 ** (-i / d_model))
            table[p, i + 1] = np.cos(p * 10000 ** (-i / d_model))
    return table.astype("float32")
