# TokenEmbedding: scaled by the square root of D
# You multiplied the vectors by √D, as the first transformer did. GPT-2 uses the rows as they are.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, embed_dim):
        super().__init__()
        self.vocab_size = vocab_size
        self.embedding = nn.Embedding(vocab_size, embed_dim)
        nn.init.normal_(self.embedding.weight, mean=0.0, std=0.02)

    def forward(self, token_ids):
        if token_ids.dtype not in (torch.int32, torch.int64):
            raise ValueError("token ids must be integers")
        if (token_ids < 0).any() or (token_ids >= self.vocab_size).any():
            raise ValueError("token id out of range")
        return self.embedding(token_ids) * math.sqrt(self.embedding.embedding_dim)
