# PositionalEncoding: x is changed in place
# `+=` changes the x that was passed in. The caller still needs it: create a new tensor.
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_seq_len):
        super().__init__()
        table = torch.as_tensor(positional_encoding_from_scratch(max_seq_len, d_model))
        self.register_buffer("table", table)

    def forward(self, x):
        x += self.table[: x.shape[1]]
        return x
