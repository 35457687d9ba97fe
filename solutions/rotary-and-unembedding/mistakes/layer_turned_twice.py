# EmbeddingLayer: rotated twice
# You rotated the vectors twice, so each has the angle of twice its position.
class EmbeddingLayer(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.wte = nn.Embedding(vocab_size, n_embd)
        self.register_buffer("f", precompute_freqs_cis(n_embd, max_seq_len, 10000.0))
    def forward(self, token_ids):
        x = self.wte(token_ids)[:, :, None]
        f = self.f[:x.shape[1]]
        return apply_rotary_emb(apply_rotary_emb(x, f), f)[:, :, 0]
