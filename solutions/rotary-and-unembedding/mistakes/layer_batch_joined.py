# EmbeddingLayer: the batch as one long text
# You concatenated the sequences of the batch, so the second one starts at position T. Each sequence
# starts at position 0.
class EmbeddingLayer(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.table = nn.Embedding(vocab_size, n_embd)

    def forward(self, token_ids):
        vectors = self.table(token_ids).reshape(1, -1, 1, self.table.embedding_dim)
        freqs_cis = precompute_freqs_cis(vectors.shape[3], vectors.shape[1], 10000.0)
        return apply_rotary_emb(vectors, freqs_cis.to(vectors.device)).reshape(*token_ids.shape, -1)
