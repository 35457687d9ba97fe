# EmbeddingLayer: the result is left on the CPU
# Your result is on the CPU, wherever the ids are: `torch.zeros(...)` without `device=` is created
# there, and writing rows into it does not move it. Use torch.zeros_like(...).
class EmbeddingLayer(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.table = nn.Embedding(vocab_size, n_embd)
        self.register_buffer("freqs_cis", precompute_freqs_cis(n_embd, max_seq_len, 10000.0))

    def forward(self, token_ids):
        vectors = self.table(token_ids).unsqueeze(2)
        turned = apply_rotary_emb(vectors, self.freqs_cis[: vectors.shape[1]])
        result = torch.zeros(*token_ids.shape, vectors.shape[3])
        result[:] = turned.squeeze(2)
        return result
