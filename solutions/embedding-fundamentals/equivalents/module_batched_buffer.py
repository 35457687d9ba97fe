# PositionalEncoding: a buffer of shape [1, T, D]
# As in PyTorch's own tutorial, without dropout; the row is cut along the second axis.
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_seq_len=5000):
        super().__init__()
        table = torch.as_tensor(positional_encoding_from_scratch(max_seq_len, d_model))
        self.register_buffer("pe", table.unsqueeze(0))

    def forward(self, x):
        return x + self.pe[:, : x.size(1), :]
