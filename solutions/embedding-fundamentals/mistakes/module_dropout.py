# PositionalEncoding: dropout
# Your module sets random numbers to zero and scales up the others. This exercise has no dropout.
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_seq_len):
        super().__init__()
        table = torch.as_tensor(positional_encoding_from_scratch(max_seq_len, d_model))
        self.register_buffer("table", table)
        self.dropout = nn.Dropout(0.1)

    def forward(self, x):
        return self.dropout(x + self.table[: x.shape[1]])
