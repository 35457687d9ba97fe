# PositionalEmbedding: the last rows instead of the first
# You took the last T rows of the table. The first token of a sequence always gets row 0.
class PositionalEmbedding(nn.Module):
    def __init__(self, max_seq_len, embed_dim):
        super().__init__()
        self.max_seq_len = max_seq_len
        self.embedding = nn.Embedding(max_seq_len, embed_dim)
        nn.init.normal_(self.embedding.weight, mean=0.0, std=0.02)

    def forward(self, token_ids):
        if token_ids.shape[1] > self.max_seq_len:
            raise ValueError("sequence too long")
        return self.embedding.weight[self.max_seq_len - token_ids.shape[1] :]
