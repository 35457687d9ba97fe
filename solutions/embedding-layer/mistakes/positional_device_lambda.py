# PositionalEmbedding: a function keeps the first table
# You store a function that uses the table of the module in which it was created. A deep copy of the
# module has its own table, but the function still uses the old one. Use the table of `self` in
# forward.
class PositionalEmbedding(nn.Module):
    def __init__(self, max_seq_len, embed_dim):
        super().__init__()
        self.max_seq_len = max_seq_len
        self.embedding = nn.Embedding(max_seq_len, embed_dim)
        nn.init.normal_(self.embedding.weight, mean=0.0, std=0.02)
        table = self.embedding
        self.rows = lambda positions: table(positions)

    def forward(self, token_ids):
        if token_ids.shape[1] > self.max_seq_len:
            raise ValueError("sequence too long")
        positions = torch.arange(token_ids.shape[1], device=token_ids.device)
        return self.rows(positions)
