# PositionalEmbedding: position ids in a buffer that the first call fills
# As many as the table has rows, so that later sequences may be longer.
class PositionalEmbedding(nn.Module):
    def __init__(self, max_seq_len, embed_dim):
        super().__init__()
        self.max_seq_len = max_seq_len
        self.embedding = nn.Embedding(max_seq_len, embed_dim)
        nn.init.normal_(self.embedding.weight, mean=0.0, std=0.02)
        self.register_buffer("positions", None, persistent=False)

    def forward(self, token_ids):
        if token_ids.shape[1] > self.max_seq_len:
            raise ValueError("sequence too long")
        if self.positions is None:
            self.positions = torch.arange(self.max_seq_len, device=token_ids.device)
        return self.embedding(self.positions[: token_ids.shape[1]])
