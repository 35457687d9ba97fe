# TransformerEmbedding: torch.no_grad around the lookup
# Your numbers are right, but you look up under torch.no_grad, so training could never move the
# table. Leave it out.
class TransformerEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model, max_seq_len):
        super().__init__()
        self.tokens = nn.Embedding(vocab_size, d_model)
        self.positions = PositionalEncoding(d_model, max_seq_len)

    @torch.no_grad()
    def forward(self, token_ids):
        vectors = self.tokens(token_ids)
        return self.positions(vectors * math.sqrt(vectors.shape[-1]))
