# EmbeddingLayer: the rotations are a parameter
# You made the rotations a parameter, so training would change them. They are computed, not learned:
# keep them as a buffer, or create them in forward.
class EmbeddingLayer(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.table = nn.Embedding(vocab_size, n_embd)
        frequencies = 10000.0 ** (-torch.arange(0, n_embd, 2) / n_embd)
        self.angles = nn.Parameter(torch.outer(torch.arange(max_seq_len), frequencies))

    def forward(self, token_ids):
        vectors = self.table(token_ids).unsqueeze(2)
        freqs_cis = torch.polar(torch.ones_like(self.angles), self.angles)[: vectors.shape[1]]
        return apply_rotary_emb(vectors, freqs_cis.to(vectors.device)).squeeze(2)
