# PositionalEncoding: a frozen parameter instead of a buffer
# A parameter without a gradient is still a parameter: it is counted and passed to the optimiser.
# Use register_buffer.
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_seq_len):
        super().__init__()
        table = torch.as_tensor(positional_encoding_from_scratch(max_seq_len, d_model))
        self.table = nn.Parameter(table, requires_grad=False)

    def forward(self, x):
        return x + self.table[: x.shape[1]]
