# TokenEmbedding: a learned vector is added to each row
# You add a bias to the rows. Whatever its initial value, it is a second learned parameter: a
# token's vector is its row of the table.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, embed_dim):
        super().__init__()
        self.vocab_size = vocab_size
        self.embedding = nn.Embedding(vocab_size, embed_dim)
        nn.init.normal_(self.embedding.weight, mean=0.0, std=0.02)
        self.bias = nn.Parameter(0.02 * torch.ones(embed_dim))

    def forward(self, token_ids):
        if torch.is_floating_point(token_ids):
            raise ValueError("token ids must be integers")
        if (token_ids < 0).any() or (token_ids >= self.vocab_size).any():
            raise ValueError("token id out of range")
        return self.embedding(token_ids) + self.bias
