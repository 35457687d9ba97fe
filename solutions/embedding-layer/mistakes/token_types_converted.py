# TokenEmbedding: ids in floating point are rounded down
# You convert the ids with .long(), so 1.7 silently becomes token 1. Ids that are not integers are
# an error of the caller: raise ValueError.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, embed_dim):
        super().__init__()
        self.vocab_size = vocab_size
        self.embedding = nn.Embedding(vocab_size, embed_dim)
        nn.init.normal_(self.embedding.weight, mean=0.0, std=0.02)

    def forward(self, token_ids):
        token_ids = token_ids.long()
        if (token_ids < 0).any() or (token_ids >= self.vocab_size).any():
            raise ValueError("token id out of range")
        return self.embedding(token_ids)
