# PositionalEmbedding: the table is a buffer
# Your table is a buffer, so it is never trained. That is right for sinusoidal encodings; a
# learned table is an nn.Parameter.
class PositionalEmbedding(nn.Module):
    def __init__(self, max_seq_len, embed_dim):
        super().__init__()
        self.max_seq_len = max_seq_len
        self.register_buffer("table", 0.02 * torch.randn(max_seq_len, embed_dim))

    def forward(self, token_ids):
        if token_ids.shape[1] > self.max_seq_len:
            raise ValueError("sequence too long")
        return self.table[: token_ids.shape[1]]
