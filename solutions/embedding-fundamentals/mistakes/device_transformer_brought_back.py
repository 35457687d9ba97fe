# TransformerEmbedding: the result is moved back to the CPU
# You end with `.cpu()`. The next part of the model is on the device of the ids, so leave the result
# where it is.
class TransformerEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, max_seq_len):
        super().__init__()
        self.tokens = nn.Embedding(vocab_size, d_model)
        self.positions = PositionalEncoding(d_model, max_seq_len)

    def forward(self, token_ids):
        vectors = self.tokens(token_ids) * math.sqrt(self.tokens.embedding_dim)
        return self.positions(vectors).cpu()
