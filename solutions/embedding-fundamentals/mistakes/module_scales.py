# PositionalEncoding: x is scaled here
# You multiplied x by the square root of D. That belongs to TransformerEmbedding; here x is used as
# it is.
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_seq_len):
        super().__init__()
        table = torch.as_tensor(positional_encoding_from_scratch(max_seq_len, d_model))
        self.register_buffer("table", table)

    def forward(self, x):
        return x * math.sqrt(x.shape[-1]) + self.table[: x.shape[1]]
