# PositionalEmbedding: a slice ends without an error
# You slice the table or the ids, and anything after the end is silently left out: there is no
# error, but there are fewer rows than tokens. Compare T with max_seq_len first and raise
# ValueError.
class PositionalEmbedding(nn.Module):
    def __init__(self, max_seq_len, embed_dim):
        super().__init__()
        self.max_seq_len = max_seq_len
        self.embedding = nn.Embedding(max_seq_len, embed_dim)
        nn.init.normal_(self.embedding.weight, mean=0.0, std=0.02)

    def forward(self, token_ids):
        return self.embedding.weight[: token_ids.shape[1]]
