# PositionalEmbedding: PyTorch's own initialisation
# Your table has nn.Embedding's default numbers, with a standard deviation of 1. Draw them again
# with 0.02.
class PositionalEmbedding(nn.Module):
    def __init__(self, max_seq_len, embed_dim):
        super().__init__()
        self.max_seq_len = max_seq_len
        self.embedding = nn.Embedding(max_seq_len, embed_dim)

    def forward(self, token_ids):
        if token_ids.shape[1] > self.max_seq_len:
            raise ValueError("sequence too long")
        positions = torch.arange(token_ids.shape[1], device=token_ids.device)
        return self.embedding(positions)
