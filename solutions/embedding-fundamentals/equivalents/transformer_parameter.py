# TransformerEmbedding: a bare parameter and one-hot vectors
# The table is an nn.Parameter; the lookup is a matrix product.
class TransformerEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, max_seq_len):
        super().__init__()
        self.table = nn.Parameter(torch.randn(vocab_size, d_model))
        self.positions = PositionalEncoding(d_model, max_seq_len)

    def forward(self, token_ids):
        one_hot = F.one_hot(token_ids, self.table.shape[0]).to(self.table.dtype)
        return self.positions(one_hot @ self.table * np.sqrt(self.table.shape[1]))
