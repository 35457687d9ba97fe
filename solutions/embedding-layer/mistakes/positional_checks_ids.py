# PositionalEmbedding: large token ids are refused
# You compare the ids with max_seq_len. Their values do not matter here, only their number, the
# second axis of the ids.
class PositionalEmbedding(nn.Module):
    def __init__(self, max_seq_len, embed_dim):
        super().__init__()
        self.max_seq_len = max_seq_len
        self.embedding = nn.Embedding(max_seq_len, embed_dim)
        nn.init.normal_(self.embedding.weight, mean=0.0, std=0.02)

    def forward(self, token_ids):
        if token_ids.shape[1] > self.max_seq_len:
            raise ValueError("sequence too long")
        if (token_ids >= self.max_seq_len).any():
            raise ValueError("no such position")
        positions = torch.arange(token_ids.shape[1], device=token_ids.device)
        return self.embedding(positions)
