# TokenEmbedding: a subclass of nn.Embedding
# The initialisation is put into reset_parameters; errors are turned into ValueError.
class TokenEmbedding(nn.Embedding):
    def __init__(self, vocab_size, embed_dim, std=0.02):
        self.std = std
        super().__init__(vocab_size, embed_dim)

    def reset_parameters(self):
        nn.init.normal_(self.weight, 0.0, self.std)

    def forward(self, ids):
        if ids.is_floating_point() or ids.is_complex():
            raise ValueError("not integers")
        try:
            return super().forward(ids)
        except IndexError as reason:
            raise ValueError("no such token") from reason
