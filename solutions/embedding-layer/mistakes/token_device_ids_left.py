# TokenEmbedding: the ids are moved to the CPU
# You look up ids that are on the CPU: you moved them there, or created a new tensor from them. The
# table moves with the module, so look up the ids as they are.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, embed_dim):
        super().__init__()
        self.vocab_size = vocab_size
        self.embedding = nn.Embedding(vocab_size, embed_dim)
        nn.init.normal_(self.embedding.weight, mean=0.0, std=0.02)

    def forward(self, token_ids):
        token_ids = token_ids.cpu()
        if torch.is_floating_point(token_ids):
            raise ValueError("token ids must be integers")
        if (token_ids < 0).any() or (token_ids >= self.vocab_size).any():
            raise ValueError("token id out of range")
        return self.embedding(token_ids)
