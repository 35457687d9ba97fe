# TransformerEmbedding: the factor as a float32 tensor, on the table
# The whole table is scaled before the lookup; the factor is a buffer.
class TransformerEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, max_seq_len, padding_idx=None):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, d_model, padding_idx=padding_idx)
        self.pos = PositionalEncoding(d_model, max_seq_len)
        self.register_buffer("scale", torch.sqrt(torch.tensor(float(d_model))))

    def forward(self, token_ids):
        return self.pos(F.embedding(token_ids, self.embed.weight * self.scale))
