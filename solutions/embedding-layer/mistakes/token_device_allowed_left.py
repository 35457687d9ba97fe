# TokenEmbedding: the allowed ids are created on the CPU
# You create the allowed ids on the CPU in every call, and compare them with ids on another device.
# Use `device=token_ids.device`, or compare with plain numbers.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, embed_dim):
        super().__init__()
        self.vocab_size = vocab_size
        self.embedding = nn.Embedding(vocab_size, embed_dim)
        nn.init.normal_(self.embedding.weight, mean=0.0, std=0.02)

    def forward(self, token_ids):
        if torch.is_floating_point(token_ids):
            raise ValueError("token ids must be integers")
        if not torch.isin(token_ids, torch.arange(self.vocab_size)).all():
            raise ValueError("token id out of range")
        return self.embedding(token_ids)
