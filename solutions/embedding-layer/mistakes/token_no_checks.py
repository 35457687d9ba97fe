# TokenEmbedding: ids are not checked
# You do not check the ids, so the lookup raises other errors: an IndexError for an id out of range,
# a RuntimeError for floating point. Check both first and raise ValueError.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, embed_dim):
        super().__init__()
        self.vocab_size = vocab_size
        self.embedding = nn.Embedding(vocab_size, embed_dim)
        nn.init.normal_(self.embedding.weight, mean=0.0, std=0.02)

    def forward(self, token_ids):
        return self.embedding(token_ids)
