# positional_encoding: one sine with a shifted phase
# A cosine is a sine that is a quarter turn ahead, so one call of sin fills the table (in
# float64).
def sinusoidal_positional_encoding(max_len, d_model):
    column = torch.arange(d_model, dtype=torch.float64)
    shift = (column % 2) * (math.pi / 2)
    frequency = 10000.0 ** (-2 * torch.div(column, 2, rounding_mode="floor") / d_model)
    position = torch.arange(max_len, dtype=torch.float64).unsqueeze(1)
    return torch.sin(position * frequency + shift).to(torch.float32)
