# TokenEmbedding: rows scaled down in place
# With max_norm the lookup scales down rows of the table in place whenever they are used. Leave out
# max_norm: a lookup changes nothing.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, embed_dim):
        super().__init__()
        self.vocab_size = vocab_size
        self.embedding = nn.Embedding(vocab_size, embed_dim, max_norm=1.0)
        nn.init.normal_(self.embedding.weight, std=0.02)

    def forward(self, token_ids):
        if token_ids.dtype not in (torch.int32, torch.int64):
            raise ValueError("token ids must be integers")
        if (token_ids < 0).any() or (token_ids >= self.vocab_size).any():
            raise ValueError("token id out of range")
        return self.embedding(token_ids)
