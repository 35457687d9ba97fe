# PositionalEmbedding: one-hot positions are created on the CPU
# You create the one-hot positions on the CPU, and multiply them by a table that may be elsewhere.
# Create them where the token ids are: `device=token_ids.device`.
class PositionalEmbedding(nn.Module):
    def __init__(self, max_seq_len, embed_dim):
        super().__init__()
        self.max_seq_len = max_seq_len
        self.embedding = nn.Embedding(max_seq_len, embed_dim)
        nn.init.normal_(self.embedding.weight, mean=0.0, std=0.02)

    def forward(self, token_ids):
        if token_ids.shape[1] > self.max_seq_len:
            raise ValueError("sequence too long")
        one_hot = torch.eye(self.max_seq_len)[: token_ids.shape[1]]
        return one_hot @ self.embedding.weight
