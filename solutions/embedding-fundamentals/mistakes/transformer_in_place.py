# TransformerEmbedding: scales the table itself
# You multiplied the table by the square root of D in place, so it grows with every call. Scale the
# looked-up rows, in a new tensor.
class TransformerEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, max_seq_len):
        super().__init__()
        self.tokens = nn.Embedding(vocab_size, d_model)
        self.positions = PositionalEncoding(d_model, max_seq_len)

    def forward(self, token_ids):
        with torch.no_grad():
            self.tokens.weight *= math.sqrt(self.tokens.embedding_dim)
        return self.positions(self.tokens(token_ids))
