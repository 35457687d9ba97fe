# positional_encoding: a power in place of exp and log
# The usual form with a division by 10000 to the power 2i/D, in float32.
def sinusoidal_positional_encoding(max_len, d_model):
    position = torch.arange(max_len).float()[:, None]
    exponent = torch.arange(0, d_model, 2).float() / d_model
    angle = position / torch.pow(10000.0, exponent)
    pe = torch.zeros(max_len, d_model, dtype=torch.float32)
    pe[:, 0::2] = torch.sin(angle)
    pe[:, 1::2] = torch.cos(angle)[:, : d_model // 2]
    return pe
