# EmbeddingLayer: the last rotations instead of the first
# You took the last rows of the table of rotations, so a short text does not start at position 0.
class EmbeddingLayer(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.wte = nn.Embedding(vocab_size, n_embd)
        self.register_buffer("f", precompute_freqs_cis(n_embd, max_seq_len, 10000.0))
    def forward(self, token_ids):
        x = self.wte(token_ids)
        return apply_rotary_emb(x[:, :, None], self.f[-x.shape[1]:])[:, :, 0]
