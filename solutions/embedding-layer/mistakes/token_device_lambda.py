# TokenEmbedding: a function keeps the first table
# You store a function that uses the table of the module in which it was created. A deep copy of the
# module has its own table, but the function still uses the old one. Use the table of `self` in
# forward.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, embed_dim):
        super().__init__()
        self.vocab_size = vocab_size
        self.embedding = nn.Embedding(vocab_size, embed_dim)
        nn.init.normal_(self.embedding.weight, mean=0.0, std=0.02)
        table = self.embedding
        self.rows = lambda ids: table(ids)

    def forward(self, token_ids):
        if torch.is_floating_point(token_ids):
            raise ValueError("token ids must be integers")
        if (token_ids < 0).any() or (token_ids >= self.vocab_size).any():
            raise ValueError("token id out of range")
        return self.rows(token_ids)
