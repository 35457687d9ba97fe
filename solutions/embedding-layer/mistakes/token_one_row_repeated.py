# TokenEmbedding: one row drawn and repeated
# You drew one row and repeated it, so all tokens start with the same vector. Draw every number
# separately.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, embed_dim):
        super().__init__()
        self.vocab_size = vocab_size
        self.table = nn.Parameter((0.02 * torch.randn(1, embed_dim)).repeat(vocab_size, 1))

    def forward(self, token_ids):
        if token_ids.dtype not in (torch.int32, torch.int64):
            raise ValueError("token ids must be integers")
        if (token_ids < 0).any() or (token_ids >= self.vocab_size).any():
            raise ValueError("token id out of range")
        return self.table[token_ids]
