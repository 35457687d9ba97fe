# TransformerEmbedding: a layer in a plain list
# Your layer of positions is in a plain Python list, where `.to(device)` does not find it. Make it
# an attribute of its own, or use `nn.ModuleList`.
class TransformerEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, max_seq_len):
        super().__init__()
        self.tokens = nn.Embedding(vocab_size, d_model)
        self.layers = [PositionalEncoding(d_model, max_seq_len)]

    def forward(self, token_ids):
        vectors = self.tokens(token_ids) * math.sqrt(self.tokens.embedding_dim)
        for layer in self.layers:
            vectors = layer(vectors)
        return vectors
