# PositionalEncoding: positions on the CPU between brackets
# A tensor on an accelerator may be indexed by one on the CPU, and multiplied by one without axes.
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_seq_len):
        super().__init__()
        table = torch.as_tensor(positional_encoding_from_scratch(max_seq_len, d_model))
        self.register_buffer("table", table)
        self.one = torch.tensor(1.0)

    def forward(self, x):
        return x * self.one + self.table[torch.arange(x.shape[1])]
