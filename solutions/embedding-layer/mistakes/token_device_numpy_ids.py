# TokenEmbedding: the ids are checked as a NumPy array
# You turn the ids into a NumPy array to check them. That works only on the CPU: use torch's
# comparisons, or copy the ids to the CPU first, with `.cpu().numpy()`.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, embed_dim):
        super().__init__()
        self.vocab_size = vocab_size
        self.embedding = nn.Embedding(vocab_size, embed_dim)
        nn.init.normal_(self.embedding.weight, mean=0.0, std=0.02)

    def forward(self, token_ids):
        ids = token_ids.numpy()
        if not np.issubdtype(ids.dtype, np.integer):
            raise ValueError("token ids must be integers")
        if (ids < 0).any() or (ids >= self.vocab_size).any():
            raise ValueError("token id out of range")
        return self.embedding(token_ids)
