# PositionalEmbedding: a slice of a parameter
# No position ids at all: rows 0 to T-1 are a slice of the table.
class PositionalEmbedding(nn.Module):
    def __init__(self, max_seq_len, embed_dim):
        super().__init__()
        self.pe = nn.Parameter(torch.empty(max_seq_len, embed_dim))
        nn.init.normal_(self.pe, std=0.02)

    def forward(self, x):
        n = x.size(1)
        if n > self.pe.size(0):
            raise ValueError("too long")
        return self.pe[:n]
