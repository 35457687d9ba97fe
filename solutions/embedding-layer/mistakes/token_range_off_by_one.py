# TokenEmbedding: vocab_size itself is accepted
# You compare with > where >= is needed. V rows are numbered 0 to V - 1, so V is the first id
# that is too large.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, embed_dim):
        super().__init__()
        self.vocab_size = vocab_size
        self.embedding = nn.Embedding(vocab_size, embed_dim)
        nn.init.normal_(self.embedding.weight, mean=0.0, std=0.02)

    def forward(self, token_ids):
        if torch.is_floating_point(token_ids):
            raise ValueError("token ids must be integers")
        if token_ids.min() < 0 or token_ids.max() > self.vocab_size:
            raise ValueError("token id out of range")
        return self.embedding(token_ids)
