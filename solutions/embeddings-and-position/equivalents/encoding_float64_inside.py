# positional_encoding: float64 inside, float32 outside
# All angles are computed in float64 and the finished table is converted.
def sinusoidal_positional_encoding(max_len, d_model):
    position = torch.arange(max_len, dtype=torch.float64)[:, None]
    column = torch.arange(d_model)
    angle = position / 10000 ** ((column - column % 2).double() / d_model)
    return torch.where(column % 2 == 0, angle.sin(), angle.cos()).float()
