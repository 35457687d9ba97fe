# TokenEmbedding: torch.rand instead of torch.randn
# You used torch.rand, which gives numbers between 0 and 1 whose mean is not 0. torch.randn draws
# from a normal distribution.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, embed_dim):
        super().__init__()
        self.vocab_size = vocab_size
        self.table = nn.Parameter(0.02 * torch.rand(vocab_size, embed_dim))

    def forward(self, token_ids):
        if token_ids.dtype not in (torch.int32, torch.int64):
            raise ValueError("token ids must be integers")
        if (token_ids < 0).any() or (token_ids >= self.vocab_size).any():
            raise ValueError("token id out of range")
        return self.table[token_ids]
