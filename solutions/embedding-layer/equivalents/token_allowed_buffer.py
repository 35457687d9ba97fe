# TokenEmbedding: the allowed ids in a buffer
# `isin` compares with a buffer that moves with the module and is not saved.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, embed_dim):
        super().__init__()
        self.vectors = nn.Embedding(vocab_size, embed_dim)
        torch.nn.init.normal_(self.vectors.weight, 0.0, 0.02)
        self.register_buffer("allowed", torch.arange(vocab_size), persistent=False)

    def forward(self, token_ids):
        if torch.is_floating_point(token_ids):
            raise ValueError("ids must be integers")
        if not torch.isin(token_ids, self.allowed).all():
            raise ValueError("there is an id that is not in the vocabulary")
        return self.vectors(token_ids)
