# TokenEmbedding: the allowed ids are a plain attribute
# You keep the allowed ids in a plain attribute. `.to(device)` leaves it on the CPU, where it is
# compared with ids on another device. Register it as a buffer, or compare with plain numbers.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, embed_dim):
        super().__init__()
        self.vocab_size = vocab_size
        self.embedding = nn.Embedding(vocab_size, embed_dim)
        nn.init.normal_(self.embedding.weight, mean=0.0, std=0.02)
        self.allowed = torch.arange(vocab_size)

    def forward(self, token_ids):
        if torch.is_floating_point(token_ids):
            raise ValueError("token ids must be integers")
        if not torch.isin(token_ids, self.allowed).all():
            raise ValueError("token id out of range")
        return self.embedding(token_ids)
