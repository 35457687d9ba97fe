# PositionalEmbedding: one token too many is accepted
# Your comparison lets one token too many through, and the lookup then raises an IndexError.
# With max_seq_len rows, T = max_seq_len + 1 is already too long.
class PositionalEmbedding(nn.Module):
    def __init__(self, max_seq_len, embed_dim):
        super().__init__()
        self.max_seq_len = max_seq_len
        self.embedding = nn.Embedding(max_seq_len, embed_dim)
        nn.init.normal_(self.embedding.weight, mean=0.0, std=0.02)

    def forward(self, token_ids):
        if token_ids.shape[1] > self.max_seq_len + 1:
            raise ValueError("sequence too long")
        positions = torch.arange(token_ids.shape[1], device=token_ids.device)
        return self.embedding(positions)
