# TransformerEmbedding: the lookup is not scaled
# You added the encoding to the unscaled lookup. Here the lookup is multiplied by the square root of
# D first.
class TransformerEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, max_seq_len):
        super().__init__()
        self.tokens = nn.Embedding(vocab_size, d_model)
        self.positions = PositionalEncoding(d_model, max_seq_len)

    def forward(self, token_ids):
        return self.positions(self.tokens(token_ids))
