# EmbeddingLayer: angles of a different width
# Your angles belong to vectors of a different width: the exponents must cover the whole width of
# the layer, which is one head.
class EmbeddingLayer(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.table = nn.Embedding(vocab_size, n_embd)

    def forward(self, token_ids):
        vectors = self.table(token_ids).unsqueeze(2)
        freqs_cis = precompute_freqs_cis(2 * vectors.shape[3], vectors.shape[1], 10000.0)
        freqs_cis = freqs_cis[:, : vectors.shape[3] // 2]
        return apply_rotary_emb(vectors, freqs_cis.to(vectors.device)).squeeze(2)
