# positional_encoding: sine and cosine swapped
# Sine and cosine are swapped. The even columns, starting with column 0, are the sines: row 0 begins
# 0, 1.
def sinusoidal_positional_encoding(max_len, d_model):
    positions = torch.arange(max_len, dtype=torch.float32).unsqueeze(1)
    frequencies = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(10000.0) / d_model))
    angles = positions * frequencies
    table = torch.zeros(max_len, d_model, dtype=torch.float32)
    table[:, 0::2] = torch.cos(angles)
    table[:, 1::2] = torch.sin(angles[:, : d_model // 2])
    return table
