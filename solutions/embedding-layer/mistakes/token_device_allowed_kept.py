# TokenEmbedding: the allowed ids are kept from the first call
# You create the allowed ids in the first call and keep them. They stay on the device of that call,
# even if the module is moved. Register them as a buffer, or compare with plain numbers.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, embed_dim):
        super().__init__()
        self.vocab_size = vocab_size
        self.embedding = nn.Embedding(vocab_size, embed_dim)
        nn.init.normal_(self.embedding.weight, mean=0.0, std=0.02)
        self.allowed = None

    def forward(self, token_ids):
        if torch.is_floating_point(token_ids):
            raise ValueError("token ids must be integers")
        if self.allowed is None:
            self.allowed = torch.arange(self.vocab_size, device=token_ids.device)
        if not torch.isin(token_ids, self.allowed).all():
            raise ValueError("token id out of range")
        return self.embedding(token_ids)
