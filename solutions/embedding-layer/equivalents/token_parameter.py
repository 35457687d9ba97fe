# TokenEmbedding: an nn.Parameter and indexing
# The table is a parameter of its own; the type is tested with is_floating_point.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, embed_dim):
        super().__init__()
        self.vocab_size = vocab_size
        self.weight = nn.Parameter(torch.randn(vocab_size, embed_dim) * 0.02)

    def forward(self, token_ids):
        if torch.is_floating_point(token_ids):
            raise ValueError(f"integer ids wanted, got {token_ids.dtype}")
        if token_ids.min() < 0 or token_ids.max() >= self.vocab_size:
            raise ValueError("id out of range")
        return self.weight[token_ids.long()]
