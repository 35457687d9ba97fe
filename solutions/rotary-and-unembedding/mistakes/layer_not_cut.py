# EmbeddingLayer: the table of rotations is not sliced to T
# You used the rotations of all max_seq_len positions for a shorter sequence. Take as many rows as
# the sequence has tokens.
class EmbeddingLayer(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.table = nn.Embedding(vocab_size, n_embd)
        self.limit = max_seq_len

    def forward(self, token_ids):
        vectors = self.table(token_ids).unsqueeze(2)
        freqs_cis = precompute_freqs_cis(vectors.shape[3], self.limit, 10000.0)
        return apply_rotary_emb(vectors, freqs_cis.to(vectors.device)).squeeze(2)
