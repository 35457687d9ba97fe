# TokenEmbedding: wrong ids are clamped
# You clamp the ids, so a wrong one silently becomes the first or the last token. Raise ValueError.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, embed_dim):
        super().__init__()
        self.vocab_size = vocab_size
        self.embedding = nn.Embedding(vocab_size, embed_dim)
        nn.init.normal_(self.embedding.weight, mean=0.0, std=0.02)

    def forward(self, token_ids):
        if torch.is_floating_point(token_ids):
            raise ValueError("token ids must be integers")
        return self.embedding(token_ids.clamp(0, self.vocab_size - 1))
