# TokenEmbedding: the table is a plain tensor
# Your table is a plain tensor. The module does not register it: it is not in `.parameters()`, so an
# optimiser never changes it, and `.to` does not move it. Make it an nn.Parameter.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, embed_dim):
        super().__init__()
        self.vocab_size = vocab_size
        self.table = 0.02 * torch.randn(vocab_size, embed_dim)

    def forward(self, token_ids):
        if token_ids.dtype not in (torch.int32, torch.int64):
            raise ValueError("token ids must be integers")
        if (token_ids < 0).any() or (token_ids >= self.vocab_size).any():
            raise ValueError("token id out of range")
        return self.table[token_ids]
