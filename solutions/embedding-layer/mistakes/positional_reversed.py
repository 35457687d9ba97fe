# PositionalEmbedding: positions run backwards
# Your positions run backwards: the last token gets row 0. They should run in the order of the
# tokens.
class PositionalEmbedding(nn.Module):
    def __init__(self, max_seq_len, embed_dim):
        super().__init__()
        self.max_seq_len = max_seq_len
        self.embedding = nn.Embedding(max_seq_len, embed_dim)
        nn.init.normal_(self.embedding.weight, mean=0.0, std=0.02)

    def forward(self, token_ids):
        if token_ids.shape[1] > self.max_seq_len:
            raise ValueError("sequence too long")
        positions = torch.arange(token_ids.shape[1], device=token_ids.device).flip(0)
        return self.embedding(positions)
