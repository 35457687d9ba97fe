# PositionalEncoding: a row of its own for a single token
# For a single token you add a row that is kept as a plain attribute, and `.to(device)` does not
# move it. Take the row from the buffer.
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_seq_len):
        super().__init__()
        table = torch.as_tensor(positional_encoding_from_scratch(max_seq_len, d_model))
        self.first = table[:1].clone()
        self.register_buffer("table", table)

    def forward(self, x):
        return x + (self.first if x.shape[1] == 1 else self.table[: x.shape[1]])
