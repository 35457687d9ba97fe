# TokenEmbedding: TypeError instead of ValueError
# You raise TypeError for ids in floating point. That is a sensible choice in general, but this
# exercise asks for ValueError for every kind of wrong id.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, embed_dim):
        super().__init__()
        self.vocab_size = vocab_size
        self.embedding = nn.Embedding(vocab_size, embed_dim)
        nn.init.normal_(self.embedding.weight, mean=0.0, std=0.02)

    def forward(self, token_ids):
        if torch.is_floating_point(token_ids):
            raise TypeError("token ids must be integers")
        if (token_ids < 0).any() or (token_ids >= self.vocab_size).any():
            raise ValueError("token id out of range")
        return self.embedding(token_ids)
