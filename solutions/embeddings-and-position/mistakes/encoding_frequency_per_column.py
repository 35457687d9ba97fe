# positional_encoding: a different frequency for every column
# Your exponent changes from each column to the next. A sine and the cosine beside it share one
# frequency: the exponent uses the number of the pair, not of the column.
def sinusoidal_positional_encoding(max_len, d_model):
    columns = torch.arange(d_model)
    angles = torch.arange(max_len).float()[:, None] / 10000 ** (columns / d_model)
    return torch.where(columns % 2 == 0, torch.sin(angles), torch.cos(angles))
