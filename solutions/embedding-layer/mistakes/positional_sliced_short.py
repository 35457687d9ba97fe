# PositionalEmbedding: a slice ends quietly
# You slice the table or the ids, and what is past the end is quietly left out: no error, but T
# tokens and fewer rows. Compare T with max_seq_len first and raise ValueError.
class PositionalEmbedding(nn.Module):
    def __init__(self, max_seq_len, embed_dim):
        super().__init__()
        self.max_seq_len = max_seq_len
        self.embedding = nn.Embedding(max_seq_len, embed_dim)
        nn.init.normal_(self.embedding.weight, mean=0.0, std=0.02)

    def forward(self, token_ids):
        return self.embedding.weight[: token_ids.shape[1]]
