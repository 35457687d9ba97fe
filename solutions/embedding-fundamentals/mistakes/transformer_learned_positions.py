# TransformerEmbedding: learned positions
# You added a second learned table. That is how GPT-2 does it; here the positions are the
# sinusoidal encoding.
class TransformerEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, max_seq_len):
        super().__init__()
        self.tokens = nn.Embedding(vocab_size, d_model)
        self.places = nn.Embedding(max_seq_len, d_model)

    def forward(self, token_ids):
        vectors = self.tokens(token_ids) * math.sqrt(self.tokens.embedding_dim)
        return vectors + self.places(torch.arange(token_ids.shape[1]))
