# TokenEmbedding: the table cannot learn
# Your table has no gradient because it is frozen: nn.Embedding.from_pretrained freezes it unless
# you pass freeze=False; or you set requires_grad to False.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, embed_dim):
        super().__init__()
        self.vocab_size = vocab_size
        self.embedding = nn.Embedding.from_pretrained(0.02 * torch.randn(vocab_size, embed_dim))

    def forward(self, token_ids):
        if token_ids.dtype not in (torch.int32, torch.int64):
            raise ValueError("token ids must be integers")
        if (token_ids < 0).any() or (token_ids >= self.vocab_size).any():
            raise ValueError("token id out of range")
        return self.embedding(token_ids)
