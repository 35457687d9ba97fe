# positional_encoding_from_scratch: no loops, exp and log, float32 throughout
# The usual form in PyTorch.
def positional_encoding_from_scratch(seq_len, d_model):
    position = torch.arange(seq_len).float().unsqueeze(1)
    rate = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(10000.0) / d_model))
    table = torch.zeros(seq_len, d_model)
    table[:, 0::2] = torch.sin(position * rate)
    table[:, 1::2] = torch.cos(position * rate)
    return table
