# TokenEmbedding: rows and columns swapped
# Your table has embed_dim rows and vocab_size columns, and forward looks up rows of it. A token's
# vector has embed_dim numbers: nn.Embedding takes the number of rows first.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, embed_dim):
        super().__init__()
        self.vocab_size = vocab_size
        self.embedding = nn.Embedding(embed_dim, vocab_size)
        nn.init.normal_(self.embedding.weight, std=0.02)

    def forward(self, token_ids):
        if token_ids.dtype not in (torch.int32, torch.int64):
            raise ValueError("token ids must be integers")
        if (token_ids < 0).any() or (token_ids >= self.vocab_size).any():
            raise ValueError("token id out of range")
        return self.embedding(token_ids)
