# EmbeddingLayer: the rotations are created on the CPU
# Your rotations are created on the CPU in each call, and the rows may be elsewhere. Move the
# rotations: `.to(token_ids.device)`.
class EmbeddingLayer(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.table = nn.Embedding(vocab_size, n_embd)

    def forward(self, token_ids):
        vectors = self.table(token_ids).unsqueeze(2)
        freqs_cis = precompute_freqs_cis(vectors.shape[3], vectors.shape[1], 10000.0)
        return apply_rotary_emb(vectors, freqs_cis).squeeze(2)
