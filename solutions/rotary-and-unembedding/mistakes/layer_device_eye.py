# EmbeddingLayer: one-hot rows without a device
# You took one-hot vectors from torch.eye(...), which is on the CPU while the ids may be elsewhere.
# Use device=token_ids.device.
class EmbeddingLayer(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.table = nn.Embedding(vocab_size, n_embd)
        self.register_buffer("freqs_cis", precompute_freqs_cis(n_embd, max_seq_len, 10000.0))

    def forward(self, token_ids):
        one_hot = torch.eye(self.table.num_embeddings)[token_ids]
        vectors = (one_hot @ self.table.weight).unsqueeze(2)
        return apply_rotary_emb(vectors, self.freqs_cis[: vectors.shape[1]]).squeeze(2)
