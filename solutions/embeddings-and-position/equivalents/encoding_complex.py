# positional_encoding: a complex exponential
# Sine and cosine are the two parts of exp(i·angle); an odd width is cut off at the end.
def sinusoidal_positional_encoding(max_len, d_model):
    position = torch.arange(max_len, dtype=torch.float64)[:, None]
    pairs = torch.arange((d_model + 1) // 2, dtype=torch.float64)
    turning = torch.exp(1j * position * 10000.0 ** (-2 * pairs / d_model))
    return torch.stack([turning.imag, turning.real], dim=-1).flatten(1)[:, :d_model].float()
