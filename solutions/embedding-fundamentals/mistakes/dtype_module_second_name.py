# PositionalEncoding: the table that is added stays in float32
# You add a second, plain tensor in place of the buffer. It is moved to the device of `x`, but it
# stays in float32, and makes the result wider than `x`. Use the buffer, which follows
# `.to(dtype)`.
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_seq_len):
        super().__init__()
        self.encoding = torch.as_tensor(positional_encoding_from_scratch(max_seq_len, d_model))
        self.register_buffer("table", self.encoding)

    def forward(self, x):
        return x + self.encoding[: x.shape[1]].to(x.device)
