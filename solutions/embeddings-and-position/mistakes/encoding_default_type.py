# positional_encoding: follows PyTorch's default type
# Your table has whatever type is PyTorch's default when the function is called, which any line of
# code can change. State the dtype that you want: dtype=torch.float32.
def sinusoidal_positional_encoding(max_len, d_model):
    positions = torch.arange(max_len).unsqueeze(1)
    angles = positions / 10000.0 ** (torch.arange(0, d_model, 2) / d_model)
    table = torch.zeros(max_len, d_model)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles[:, : d_model // 2])
    return table
