# PositionalEmbedding: positions from 1
# Your first token gets row 1. Positions are counted from 0, and a sequence of full length would go
# past the last row.
class PositionalEmbedding(nn.Module):
    def __init__(self, max_seq_len, embed_dim):
        super().__init__()
        self.max_seq_len = max_seq_len
        self.embedding = nn.Embedding(max_seq_len, embed_dim)
        nn.init.normal_(self.embedding.weight, mean=0.0, std=0.02)

    def forward(self, token_ids):
        if token_ids.shape[1] > self.max_seq_len:
            raise ValueError("sequence too long")
        length = token_ids.shape[1]
        positions = torch.arange(1, length + 1, device=token_ids.device)
        return self.embedding(positions)
