# TransformerEmbedding: the factor is a tensor without axes
# It stays on the CPU as a plain attribute, and may be multiplied with all the same.
class TransformerEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, max_seq_len):
        super().__init__()
        self.scale = torch.sqrt(torch.tensor(float(d_model)))
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.positions = PositionalEncoding(d_model, max_seq_len)

    def forward(self, token_ids):
        return self.positions(self.embedding(token_ids) * self.scale)
