# PositionalEncoding: the table that is added stays in float32
# What you add stays in float32 when the module is converted, so the result is in a wider dtype than
# `x`. Add the registered buffer itself, which follows `.to(dtype)`.
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_seq_len):
        super().__init__()
        self.encoding = torch.as_tensor(positional_encoding_from_scratch(max_seq_len, d_model))
        self.register_buffer("table", self.encoding)

    def forward(self, x):
        return x + self.encoding[: x.shape[1]].to(x.device)
