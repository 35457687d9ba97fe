# EmbeddingLayer: the axis of the head comes before the positions
# You put the axis of the one head before the positions: [B, 1, T, D]. The rotation expects
# positions on axis 1: [B, T, 1, D].
class EmbeddingLayer(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.table = nn.Embedding(vocab_size, n_embd)

    def forward(self, token_ids):
        vectors = self.table(token_ids).unsqueeze(1)
        freqs_cis = precompute_freqs_cis(vectors.shape[3], vectors.shape[2], 10000.0)
        return apply_rotary_emb(vectors, freqs_cis.to(vectors.device)).squeeze(1)
