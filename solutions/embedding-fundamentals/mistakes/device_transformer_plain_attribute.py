# TransformerEmbedding: the encoding is a plain attribute
# You store the encoding as a plain attribute, which stays behind when the module is moved. Use your
# `PositionalEncoding`, or register a buffer.
class TransformerEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, max_seq_len):
        super().__init__()
        self.tokens = nn.Embedding(vocab_size, d_model)
        self.encoding = torch.as_tensor(positional_encoding_from_scratch(max_seq_len, d_model))

    def forward(self, token_ids):
        vectors = self.tokens(token_ids) * math.sqrt(self.tokens.embedding_dim)
        return vectors + self.encoding[: token_ids.shape[1]]
