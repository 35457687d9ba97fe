# TransformerEmbedding: ids instead of positions
# You looked up the encoding with the token ids. Its rows belong to the positions 0 to T-1, whatever
# the tokens are.
class TransformerEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, max_seq_len):
        super().__init__()
        self.tokens = nn.Embedding(vocab_size, d_model)
        table = torch.as_tensor(positional_encoding_from_scratch(vocab_size, d_model))
        self.register_buffer("table", table)

    def forward(self, token_ids):
        return self.tokens(token_ids) * math.sqrt(self.tokens.embedding_dim) + self.table[token_ids]
