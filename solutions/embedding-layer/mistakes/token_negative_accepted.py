# TokenEmbedding: negative ids count from the end
# You check ids that are too large, but not negative ones. Indexing takes -1 for the last row,
# and nn.Embedding raises an IndexError. Raise ValueError.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, embed_dim):
        super().__init__()
        self.vocab_size = vocab_size
        self.embedding = nn.Embedding(vocab_size, embed_dim)
        nn.init.normal_(self.embedding.weight, mean=0.0, std=0.02)

    def forward(self, token_ids):
        if torch.is_floating_point(token_ids):
            raise ValueError("token ids must be integers")
        if (token_ids >= self.vocab_size).any():
            raise ValueError("token id out of range")
        return self.embedding.weight[token_ids]
