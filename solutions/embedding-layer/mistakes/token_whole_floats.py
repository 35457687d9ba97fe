# TokenEmbedding: whole numbers in floating point are accepted
# You refuse 1.7 and accept 3.0. Only the type of the ids matters, not their values: refuse all ids
# in floating point.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, embed_dim):
        super().__init__()
        self.vocab_size = vocab_size
        self.embedding = nn.Embedding(vocab_size, embed_dim)
        nn.init.normal_(self.embedding.weight, mean=0.0, std=0.02)

    def forward(self, token_ids):
        if (token_ids != token_ids.long()).any():
            raise ValueError("token ids must be integers")
        token_ids = token_ids if token_ids.dtype == torch.int32 else token_ids.long()
        if (token_ids < 0).any() or (token_ids >= self.vocab_size).any():
            raise ValueError("token id out of range")
        return self.embedding(token_ids)
