# EmbeddingLayer: keeps the rotations of the first call
# The first call creates the rotations and keeps them, on the device of that call. If the layer is
# moved later, they stay behind. Create them again if the device changes, or use a buffer.
class EmbeddingLayer(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.table = nn.Embedding(vocab_size, n_embd)
        self.max_seq_len = max_seq_len
        self.freqs_cis = None

    def forward(self, token_ids):
        vectors = self.table(token_ids).unsqueeze(2)
        if self.freqs_cis is None:
            table = precompute_freqs_cis(vectors.shape[3], self.max_seq_len, 10000.0)
            self.freqs_cis = table.to(token_ids.device)
        return apply_rotary_emb(vectors, self.freqs_cis[: vectors.shape[1]]).squeeze(2)
