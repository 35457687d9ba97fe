# TransformerEmbedding: ids on the CPU between brackets
# The weight may be indexed by ids on the CPU; F.embedding would refuse them.
class TransformerEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, max_seq_len):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.positions = PositionalEncoding(d_model, max_seq_len)

    def forward(self, token_ids):
        vectors = self.embedding.weight[token_ids.cpu()]
        return self.positions(vectors * self.embedding.embedding_dim**0.5)
