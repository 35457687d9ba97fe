# PositionalEmbedding: late positions share the last row
# After the last row, all your positions share one vector. Raise ValueError when the sequence is too
# long.
class PositionalEmbedding(nn.Module):
    def __init__(self, max_seq_len, embed_dim):
        super().__init__()
        self.max_seq_len = max_seq_len
        self.embedding = nn.Embedding(max_seq_len, embed_dim)
        nn.init.normal_(self.embedding.weight, mean=0.0, std=0.02)

    def forward(self, token_ids):
        positions = torch.arange(token_ids.shape[1], device=token_ids.device)
        return self.embedding(positions.clamp(max=self.max_seq_len - 1))
