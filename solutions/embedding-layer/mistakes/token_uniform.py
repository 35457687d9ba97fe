# TokenEmbedding: uniform numbers of the same spread
# Your numbers have the right mean and spread, but they are uniformly distributed. Draw them from a
# normal distribution.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, embed_dim):
        super().__init__()
        self.vocab_size = vocab_size
        bound = 0.02 * math.sqrt(3)
        self.table = nn.Parameter(torch.empty(vocab_size, embed_dim).uniform_(-bound, bound))

    def forward(self, token_ids):
        if token_ids.dtype not in (torch.int32, torch.int64):
            raise ValueError("token ids must be integers")
        if (token_ids < 0).any() or (token_ids >= self.vocab_size).any():
            raise ValueError("token id out of range")
        return self.table[token_ids]
