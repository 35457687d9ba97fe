# EmbeddingLayer: a buffer for all positions
# not with: turns_pair*, turns_stacked, turned_pair
# Made once, cut to T in forward, saved with the model.
class EmbeddingLayer(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.tok = nn.Embedding(vocab_size, n_embd)
        self.register_buffer("freqs_cis", precompute_freqs_cis(n_embd, max_seq_len, 10000.0))

    def forward(self, idx):
        B, T = idx.shape
        x = self.tok(idx).view(B, T, 1, -1)
        return apply_rotary_emb(x, self.freqs_cis[:T]).view(B, T, -1)
