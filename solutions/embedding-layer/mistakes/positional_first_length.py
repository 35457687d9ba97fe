# PositionalEmbedding: the first length is kept as the limit
# You create the position ids in the first call and keep them, as many as that sequence had tokens.
# A longer sequence is refused, although the table has rows for it. Create them in every call, or as
# many as the table has rows.
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
            self.positions = torch.arange(token_ids.shape[1], device=token_ids.device)
        if token_ids.shape[1] > len(self.positions):
            raise ValueError("sequence too long")
        return self.embedding(self.positions[: token_ids.shape[1]])
