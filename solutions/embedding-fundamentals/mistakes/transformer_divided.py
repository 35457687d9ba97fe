# TransformerEmbedding: divided by the square root
# You divided by the square root of D, as attention does with its scores. The lookup should be
# multiplied by it.
class TransformerEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, max_seq_len):
        super().__init__()
        self.tokens = nn.Embedding(vocab_size, d_model)
        self.positions = PositionalEncoding(d_model, max_seq_len)

    def forward(self, token_ids):
        vectors = self.tokens(token_ids)
        return self.positions(vectors / math.sqrt(vectors.shape[-1]))
