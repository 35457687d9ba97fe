# PositionalEmbedding: the same row everywhere
# Every position gets row 0, so the order of the tokens is lost. Position t needs row t.
class PositionalEmbedding(nn.Module):
    def __init__(self, max_seq_len, embed_dim):
        super().__init__()
        self.max_seq_len = max_seq_len
        self.embedding = nn.Embedding(max_seq_len, embed_dim)
        nn.init.normal_(self.embedding.weight, mean=0.0, std=0.02)

    def forward(self, token_ids):
        if token_ids.shape[1] > self.max_seq_len:
            raise ValueError("sequence too long")
        positions = torch.zeros(token_ids.shape[1], dtype=torch.long, device=token_ids.device)
        return self.embedding(positions)
