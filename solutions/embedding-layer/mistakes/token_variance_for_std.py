# TokenEmbedding: 0.02 used as the variance
# Your standard deviation is the square root of 0.02. N(0, 0.02²) already contains the square: 0.02
# is the standard deviation, 0.0004 the variance.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, embed_dim):
        super().__init__()
        self.vocab_size = vocab_size
        self.embedding = nn.Embedding(vocab_size, embed_dim)
        nn.init.normal_(self.embedding.weight, std=math.sqrt(0.02))

    def forward(self, token_ids):
        if token_ids.dtype not in (torch.int32, torch.int64):
            raise ValueError("token ids must be integers")
        if (token_ids < 0).any() or (token_ids >= self.vocab_size).any():
            raise ValueError("token id out of range")
        return self.embedding(token_ids)
