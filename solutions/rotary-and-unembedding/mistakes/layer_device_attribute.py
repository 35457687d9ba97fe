# EmbeddingLayer: the rotations are a plain attribute
# You store the rotations as a plain attribute. `.to(device)` moves only parameters and buffers. Use
# self.register_buffer("freqs_cis", ...).
class EmbeddingLayer(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.table = nn.Embedding(vocab_size, n_embd)
        self.freqs_cis = precompute_freqs_cis(n_embd, max_seq_len, 10000.0)

    def forward(self, token_ids):
        vectors = self.table(token_ids).unsqueeze(2)
        return apply_rotary_emb(vectors, self.freqs_cis[: vectors.shape[1]]).squeeze(2)
