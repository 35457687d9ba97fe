# PositionalEmbedding: one row for each sequence
# Your rows differ from sequence to sequence and not from position to position: positions run along
# the second axis, and every sequence of the batch gets the same rows.
class PositionalEmbedding(nn.Module):
    def __init__(self, max_seq_len, embed_dim):
        super().__init__()
        self.max_seq_len = max_seq_len
        self.embedding = nn.Embedding(max_seq_len, embed_dim)
        nn.init.normal_(self.embedding.weight, mean=0.0, std=0.02)

    def forward(self, token_ids):
        if token_ids.shape[1] > self.max_seq_len:
            raise ValueError("sequence too long")
        count, length = token_ids.shape
        positions = torch.arange(count, device=token_ids.device) % self.max_seq_len
        return self.embedding(positions)[:, None].expand(count, length, -1)
