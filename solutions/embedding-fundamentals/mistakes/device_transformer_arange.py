# TransformerEmbedding: positions are created on the CPU
# Your module creates the positions with `torch.arange` on the CPU, while the tables are on the
# accelerator. Use `device=token_ids.device`.
class TransformerEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, max_seq_len):
        super().__init__()
        self.tokens = nn.Embedding(vocab_size, d_model)
        table = torch.as_tensor(positional_encoding_from_scratch(max_seq_len, d_model))
        self.register_buffer("table", table)

    def forward(self, token_ids):
        positions = torch.arange(token_ids.shape[1])
        vectors = self.tokens(token_ids) * math.sqrt(self.tokens.embedding_dim)
        return vectors + F.embedding(positions, self.table)
