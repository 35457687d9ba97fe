# TransformerEmbedding: vectors of length one
# You divided each vector by its length before scaling. The rows of the table are used as they are.
class TransformerEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, max_seq_len):
        super().__init__()
        self.tokens = nn.Embedding(vocab_size, d_model)
        self.positions = PositionalEncoding(d_model, max_seq_len)

    def forward(self, token_ids):
        vectors = F.normalize(self.tokens(token_ids), dim=-1)
        return self.positions(vectors * math.sqrt(vectors.shape[-1]))
