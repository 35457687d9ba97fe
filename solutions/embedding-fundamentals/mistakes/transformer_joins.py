# TransformerEmbedding: the encoding is appended, not added
# Your vectors are twice as wide, with lookup and encoding side by side. Add the two: the width
# stays the same.
class TransformerEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, max_seq_len):
        super().__init__()
        self.token_embedding = nn.Embedding(vocab_size, d_model)
        self.positions = PositionalEncoding(d_model, max_seq_len)
        self.scale = math.sqrt(d_model)

    def forward(self, token_ids):
        scaled = self.token_embedding(token_ids) * self.scale
        encoding = self.positions(torch.zeros_like(scaled))
        return torch.cat([scaled, encoding], dim=-1)
