# EmbeddingLayer: normalised after the lookup
# You normalised the rows after the lookup, as nanochat does today. Here they keep their lengths.
class EmbeddingLayer(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.table = nn.Embedding(vocab_size, n_embd)

    def forward(self, token_ids):
        vectors = self.table(token_ids).unsqueeze(2)
        vectors = vectors * torch.rsqrt(vectors.square().mean(dim=-1, keepdim=True) + 1e-6)
        freqs_cis = precompute_freqs_cis(vectors.shape[3], vectors.shape[1], 10000.0)
        return apply_rotary_emb(vectors, freqs_cis.to(vectors.device)).squeeze(2)
