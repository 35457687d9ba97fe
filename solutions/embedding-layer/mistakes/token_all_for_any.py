# TokenEmbedding: refuses only when every id is wrong
# You use `all` where `any` is needed: as long as one id of the batch is valid, the wrong ones are
# accepted. One wrong id is enough to raise an error.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, embed_dim):
        super().__init__()
        self.vocab_size = vocab_size
        self.embedding = nn.Embedding(vocab_size, embed_dim)
        nn.init.normal_(self.embedding.weight, mean=0.0, std=0.02)

    def forward(self, token_ids):
        if torch.is_floating_point(token_ids):
            raise ValueError("token ids must be integers")
        if (token_ids < 0).all() or (token_ids >= self.vocab_size).all():
            raise ValueError("token id out of range")
        return self.embedding(token_ids)
