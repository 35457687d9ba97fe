# EmbeddingLayer: scaled by sqrt(D)
# You multiplied the rows by the square root of D, as the 2017 transformer paper does. Here they are
# rotated as they are.
class EmbeddingLayer(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.table = nn.Embedding(vocab_size, n_embd)

    def forward(self, token_ids):
        vectors = self.table(token_ids).unsqueeze(2) * math.sqrt(self.table.embedding_dim)
        freqs_cis = precompute_freqs_cis(vectors.shape[3], vectors.shape[1], 10000.0)
        return apply_rotary_emb(vectors, freqs_cis.to(vectors.device)).squeeze(2)
