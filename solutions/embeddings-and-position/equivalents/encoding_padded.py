# positional_encoding: made one column wider, then cut
# An odd width is rounded up to an even one and the last column is dropped; two more parameters
# have defaults.
def sinusoidal_positional_encoding(max_len, d_model, base=10000.0, device="cpu"):
    even = d_model + d_model % 2
    position = torch.arange(max_len, device=device, dtype=torch.float32).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, even, 2, device=device).float() * -(math.log(base) / d_model))
    pe = torch.zeros(max_len, even, dtype=torch.float32, device=device)
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term)
    return pe[:, :d_model]
