# positional_encoding_from_scratch: float32 powers, divided by
# No loops; the position is divided by a power of 10000 in float32.
def positional_encoding_from_scratch(seq_len, d_model):
    position = torch.arange(seq_len, dtype=torch.float32)[:, None]
    angles = position / torch.pow(10000.0, torch.arange(0, d_model, 2).float() / d_model)
    table = torch.empty(seq_len, d_model)
    table[:, ::2], table[:, 1::2] = angles.sin(), angles.cos()
    return table
