# TokenEmbedding: only two of the floating-point types are refused
# You refuse float32 and float64, but float16 is accepted. There are more floating-point types:
# `torch.is_floating_point` covers them all.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, embed_dim):
        super().__init__()
        self.vocab_size = vocab_size
        self.embedding = nn.Embedding(vocab_size, embed_dim)
        nn.init.normal_(self.embedding.weight, mean=0.0, std=0.02)

    def forward(self, token_ids):
        if token_ids.dtype in (torch.float32, torch.float64):
            raise ValueError("token ids must be integers")
        if (token_ids < 0).any() or (token_ids >= self.vocab_size).any():
            raise ValueError("token id out of range")
        return self.embedding(token_ids if token_ids.dtype == torch.int32 else token_ids.long())
