# EmbeddingLayer: pairs treated as heads
# You split the width into heads, so that each narrow head has frequencies of its own. Here the
# whole width is one head.
class EmbeddingLayer(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.table = nn.Embedding(vocab_size, n_embd)

    def forward(self, token_ids):
        vectors = self.table(token_ids)
        heads = vectors.reshape(*vectors.shape[:2], -1, 2)
        freqs_cis = precompute_freqs_cis(2, vectors.shape[1], 10000.0)
        return apply_rotary_emb(heads, freqs_cis.to(heads.device)).flatten(2)
