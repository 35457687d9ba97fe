# positional_encoding: a loop over the columns only
# Each column is one vectorised expression; Python visits D columns, not T x D entries.
def sinusoidal_positional_encoding(max_len, d_model):
    position = torch.arange(max_len, dtype=torch.float32)
    pe = torch.zeros(max_len, d_model, dtype=torch.float32)
    for column in range(d_model):
        angle = position / 10000 ** ((column - column % 2) / d_model)
        pe[:, column] = torch.sin(angle) if column % 2 == 0 else torch.cos(angle)
    return pe
