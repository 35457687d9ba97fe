# TransformerEmbedding: the lookup is detached
# Your numbers are right, but they are not connected to the table, so training cannot change it.
# Leave out detach, .data and torch.no_grad.
class TransformerEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, max_seq_len):
        super().__init__()
        self.tokens = nn.Embedding(vocab_size, d_model)
        self.positions = PositionalEncoding(d_model, max_seq_len)

    def forward(self, token_ids):
        vectors = self.tokens(token_ids).detach()
        return self.positions(vectors * math.sqrt(vectors.shape[-1]))
