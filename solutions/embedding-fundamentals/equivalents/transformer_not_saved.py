# TransformerEmbedding: a buffer that is not saved
# The encoding is taken out of the module before, once; here it need not be in the state dict.
class TransformerEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, max_seq_len):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, d_model)
        rows = PositionalEncoding(d_model, max_seq_len)(torch.zeros(1, max_seq_len, d_model))
        self.register_buffer("rows", rows.detach(), persistent=False)

    def forward(self, token_ids):
        vectors = self.embedding(token_ids)
        factor = vectors.new_tensor(vectors.shape[-1]).sqrt()
        return vectors * factor + self.rows[:, : vectors.shape[1]]
