# TokenEmbedding: sparse gradients
# With sparse=True the gradient holds only the rows that were used.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, embed_dim):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embed_dim, sparse=True)
        with torch.no_grad():
            self.embedding.weight.normal_(std=0.02)

    def forward(self, token_ids):
        token_ids = torch.as_tensor(token_ids)
        if token_ids.dtype.is_floating_point:
            raise ValueError("floating point ids")
        low, high = int(token_ids.min()), int(token_ids.max())
        if low < 0 or high > self.embedding.num_embeddings - 1:
            raise ValueError(f"ids from {low} to {high}")
        return self.embedding(token_ids)
