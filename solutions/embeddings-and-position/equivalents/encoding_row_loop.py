# positional_encoding: a loop over the positions only
# Each position is one vectorised row, slower than a whole table but no loop over entries.
def sinusoidal_positional_encoding(max_len, d_model):
    frequency = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(10000.0) / d_model))
    pe = torch.zeros(max_len, d_model, dtype=torch.float32)
    for position in range(max_len):
        pe[position, 0::2] = torch.sin(position * frequency)
        pe[position, 1::2] = torch.cos(position * frequency[: d_model // 2])
    return pe
