# PositionalEncoding: float32, whatever x is
# Your module converts `x` to float32, so its result is float32. A model in float16 or bfloat16
# needs the dtype of `x`: add the buffer to `x` as it is.
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_seq_len):
        super().__init__()
        table = torch.as_tensor(positional_encoding_from_scratch(max_seq_len, d_model))
        self.register_buffer("table", table)

    def forward(self, x):
        return x.float() + self.table[: x.shape[1]].float()
