# PositionalEmbedding: forward cuts off the gradient
# Your rows are detached from the table, so the positions are never learned. Leave out detach, .data
# and torch.no_grad in forward.
class PositionalEmbedding(nn.Module):
    def __init__(self, max_seq_len, embed_dim):
        super().__init__()
        self.max_seq_len = max_seq_len
        self.embedding = nn.Embedding(max_seq_len, embed_dim)
        nn.init.normal_(self.embedding.weight, mean=0.0, std=0.02)

    def forward(self, token_ids):
        if token_ids.shape[1] > self.max_seq_len:
            raise ValueError("sequence too long")
        with torch.no_grad():
            return self.embedding.weight[: token_ids.shape[1]]
