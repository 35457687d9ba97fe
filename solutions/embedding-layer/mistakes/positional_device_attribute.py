# PositionalEmbedding: position ids are a plain attribute
# You keep the position ids in a plain attribute, which `.to(device)` leaves on the CPU. Register
# them as a buffer, or create them in forward with `device=token_ids.device`.
class PositionalEmbedding(nn.Module):
    def __init__(self, max_seq_len, embed_dim):
        super().__init__()
        self.max_seq_len = max_seq_len
        self.embedding = nn.Embedding(max_seq_len, embed_dim)
        nn.init.normal_(self.embedding.weight, mean=0.0, std=0.02)
        self.positions = torch.arange(max_seq_len)

    def forward(self, token_ids):
        if token_ids.shape[1] > self.max_seq_len:
            raise ValueError("sequence too long")
        return self.embedding(self.positions[: token_ids.shape[1]])
