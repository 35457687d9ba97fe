# PositionalEmbedding: starts with zeros
# Your table starts with zeros, so at first all positions are the same. Draw it from N(0, 0.02²).
class PositionalEmbedding(nn.Module):
    def __init__(self, max_seq_len, embed_dim):
        super().__init__()
        self.max_seq_len = max_seq_len
        self.table = nn.Parameter(torch.zeros(max_seq_len, embed_dim))

    def forward(self, token_ids):
        if token_ids.shape[1] > self.max_seq_len:
            raise ValueError("sequence too long")
        return self.table[: token_ids.shape[1]]
