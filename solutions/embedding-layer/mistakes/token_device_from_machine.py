# TokenEmbedding: the device is chosen by what the machine has
# You chose the device in `__init__`, by what the machine has. `.to(device)` may move the module
# elsewhere: leave the ids where they are, or move them to the table's device.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, embed_dim):
        super().__init__()
        self.vocab_size = vocab_size
        self.embedding = nn.Embedding(vocab_size, embed_dim)
        nn.init.normal_(self.embedding.weight, mean=0.0, std=0.02)
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

    def forward(self, token_ids):
        if torch.is_floating_point(token_ids):
            raise ValueError("token ids must be integers")
        if (token_ids < 0).any() or (token_ids >= self.vocab_size).any():
            raise ValueError("token id out of range")
        return self.embedding(token_ids.to(self.device))
