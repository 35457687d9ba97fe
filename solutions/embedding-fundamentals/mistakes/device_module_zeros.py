# PositionalEncoding: the result is filled in on the CPU
# You fill a tensor of zeros that was created on the CPU, so the result is there, wherever `x` is.
# Return the sum itself, or create the zeros with `torch.zeros_like(x)`.
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_seq_len):
        super().__init__()
        table = torch.as_tensor(positional_encoding_from_scratch(max_seq_len, d_model))
        self.register_buffer("table", table)

    def forward(self, x):
        result = torch.zeros(x.shape, dtype=x.dtype)
        for position in range(x.shape[1]):
            result[:, position] = x[:, position] + self.table[position]
        return result
