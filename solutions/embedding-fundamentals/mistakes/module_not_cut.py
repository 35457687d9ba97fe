# PositionalEncoding: the table is not sliced to the sequence's length
# You added the whole table, which fits only if the sequence has that length. Take its first T rows.
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_seq_len):
        super().__init__()
        table = torch.as_tensor(positional_encoding_from_scratch(max_seq_len, d_model))
        self.register_buffer("table", table)

    def forward(self, x):
        return x + self.table
