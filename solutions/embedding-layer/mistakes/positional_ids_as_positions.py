# PositionalEmbedding: token ids used as positions
# You looked up the token ids in the table of positions. Only the shape of the ids matters here:
# position t gets row t, whatever the token is.
class PositionalEmbedding(nn.Module):
    def __init__(self, max_seq_len, embed_dim):
        super().__init__()
        self.max_seq_len = max_seq_len
        self.embedding = nn.Embedding(max_seq_len, embed_dim)
        nn.init.normal_(self.embedding.weight, mean=0.0, std=0.02)

    def forward(self, token_ids):
        if token_ids.shape[1] > self.max_seq_len:
            raise ValueError("sequence too long")
        return self.embedding(token_ids % self.max_seq_len)
