# positional_encoding: positions along the columns, then reshaped
# You built the table with one row per column and then reshaped it. Reshaping does not transpose a
# table; it splits the numbers into different rows. Put the positions along the first axis.
def sinusoidal_positional_encoding(max_len, d_model):
    positions = torch.arange(max_len, dtype=torch.float32)
    frequencies = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(10000.0) / d_model))
    angles = frequencies.unsqueeze(1) * positions
    table = torch.zeros(d_model, max_len)
    table[0::2] = torch.sin(angles)
    table[1::2] = torch.cos(angles[: d_model // 2])
    return table.reshape(max_len, d_model)
