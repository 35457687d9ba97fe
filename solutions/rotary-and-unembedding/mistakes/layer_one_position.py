# EmbeddingLayer: all rotated by the same angle
# Every position was rotated by the same angle: only one row of the rotations was used. Row t
# belongs to position t.
class EmbeddingLayer(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.table = nn.Embedding(vocab_size, n_embd)

    def forward(self, token_ids):
        vectors = self.table(token_ids).unsqueeze(2)
        freqs_cis = precompute_freqs_cis(vectors.shape[3], vectors.shape[1], 10000.0)
        freqs_cis = freqs_cis.to(vectors.device)
        return apply_rotary_emb(vectors, freqs_cis[-1:].expand_as(freqs_cis)).squeeze(2)
