# positional_encoding: fails for no positions
# With no positions there is no first row to stack. Start from a table of the right shape, or
# from ranges, which may be empty.
def sinusoidal_positional_encoding(max_len, d_model):
    frequencies = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(10000.0) / d_model))
    rows = []
    for position in range(max_len):
        row = torch.zeros(d_model, dtype=torch.float32)
        row[0::2] = torch.sin(position * frequencies)
        row[1::2] = torch.cos(position * frequencies[: d_model // 2])
        rows.append(row)
    return torch.stack(rows)
