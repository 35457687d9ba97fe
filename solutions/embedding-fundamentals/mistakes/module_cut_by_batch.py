# PositionalEncoding: the table is sliced by the batch size
# You sliced the table to as many rows as there are sequences. T is the second axis of x, not the
# first.
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_seq_len):
        super().__init__()
        table = torch.as_tensor(positional_encoding_from_scratch(max_seq_len, d_model))
        self.register_buffer("table", table)

    def forward(self, x):
        return x + self.table[: x.shape[0]]
