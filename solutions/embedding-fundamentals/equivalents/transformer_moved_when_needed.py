# TransformerEmbedding: a plain attribute that is moved when necessary
# Each call checks whether the encoding is where the ids are.
class TransformerEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, max_seq_len):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.rows = torch.as_tensor(positional_encoding_from_scratch(max_seq_len, d_model))

    def forward(self, token_ids):
        if self.rows.device != token_ids.device:
            self.rows = self.rows.to(token_ids.device)
        vectors = self.embedding(token_ids) * math.sqrt(self.embedding.embedding_dim)
        return vectors + self.rows[: token_ids.size(1)]
