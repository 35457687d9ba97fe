# PositionalEmbedding: row by row in a loop
# Every row is looked up by a plain number, and all are stacked.
class PositionalEmbedding(nn.Module):
    def __init__(self, max_seq_len, embed_dim):
        super().__init__()
        self.limit = max_seq_len
        self.vectors = nn.ParameterList([nn.Parameter(torch.randn(max_seq_len, embed_dim) * 0.02)])

    def forward(self, token_ids):
        rows = []
        for position in range(token_ids.shape[1]):
            if position >= self.limit:
                raise ValueError("there is no row for so many tokens")
            rows.append(self.vectors[0][position])
        return torch.stack(rows)
