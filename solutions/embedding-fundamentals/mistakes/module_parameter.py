# PositionalEncoding: a parameter instead of a buffer
# You made the encoding a parameter, so an optimiser would change it. It is a formula: use
# register_buffer.
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_seq_len):
        super().__init__()
        table = torch.as_tensor(positional_encoding_from_scratch(max_seq_len, d_model))
        self.table = nn.Parameter(table)

    def forward(self, x):
        return x + self.table[: x.shape[1]]
