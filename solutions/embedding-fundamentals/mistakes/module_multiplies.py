# PositionalEncoding: multiplied, not added
# You multiplied x by the encoding, so its zeros cancel numbers of x. The encoding is added.
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_seq_len):
        super().__init__()
        table = torch.as_tensor(positional_encoding_from_scratch(max_seq_len, d_model))
        self.register_buffer("table", table)

    def forward(self, x):
        return x * self.table[: x.shape[1]]
