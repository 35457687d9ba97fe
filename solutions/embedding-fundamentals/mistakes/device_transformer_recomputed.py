# TransformerEmbedding: a table from the CPU in every call
# You compute the encoding in `forward`, which gives a table on the CPU, and add it without moving
# it. Move it with `.to(token_ids.device)`, or keep it in a buffer.
class TransformerEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, max_seq_len):
        super().__init__()
        self.tokens = nn.Embedding(vocab_size, d_model)

    def forward(self, token_ids):
        vectors = self.tokens(token_ids) * math.sqrt(self.tokens.embedding_dim)
        table = positional_encoding_from_scratch(token_ids.shape[1], vectors.shape[2])
        return vectors + torch.as_tensor(table)
