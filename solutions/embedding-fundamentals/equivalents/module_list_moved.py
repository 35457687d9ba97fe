# PositionalEncoding: a list of rows that moves as well
# `_apply` is what `.to` uses: it is extended to the rows in a plain list.
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_seq_len):
        super().__init__()
        table = torch.as_tensor(positional_encoding_from_scratch(max_seq_len, d_model))
        self.register_buffer("table", table)
        self.rows = list(table)

    def _apply(self, fn, recurse=True):
        super()._apply(fn, recurse)
        self.rows = [fn(row) for row in self.rows]
        return self

    def forward(self, x):
        return x + torch.stack(self.rows[: x.shape[1]])
