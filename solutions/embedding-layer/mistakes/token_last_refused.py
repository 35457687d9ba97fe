# TokenEmbedding: the last id is refused
# You refuse the id V - 1, though it has a row: V rows are numbered 0 to V - 1.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, embed_dim):
        super().__init__()
        self.vocab_size = vocab_size
        self.embedding = nn.Embedding(vocab_size, embed_dim)
        nn.init.normal_(self.embedding.weight, mean=0.0, std=0.02)

    def forward(self, token_ids):
        if torch.is_floating_point(token_ids):
            raise ValueError("token ids must be integers")
        if token_ids.min() < 0 or token_ids.max() >= self.vocab_size - 1:
            raise ValueError("token id out of range")
        return self.embedding(token_ids)
