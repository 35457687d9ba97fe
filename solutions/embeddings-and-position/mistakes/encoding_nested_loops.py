# positional_encoding: a Python loop over every entry
# Your numbers are right, but Python visits every single entry. Compute all angles at once: a column
# of positions times a row of frequencies.
def sinusoidal_positional_encoding(max_len, d_model):
    table = np.zeros((max_len, d_model), dtype=np.float32)
    for position in range(max_len):
        for column in range(d_model):
            angle = position / np.power(10000.0, (column - column % 2) / d_model)
            table[position, column] = np.sin(angle) if column % 2 == 0 else np.cos(angle)
    return torch.from_numpy(table)
