# EmbeddingLayer: a buffer that is made at the first call
# not with: turns_pair*, turns_stacked, turned_pair
# The call changes what the module holds, but no parameter; from then on `.to` moves it.
class EmbeddingLayer(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.table = nn.Embedding(vocab_size, n_embd)
        self.max_seq_len = max_seq_len

    def forward(self, token_ids):
        rows = self.table(token_ids)
        if not hasattr(self, "turns"):
            turns = precompute_freqs_cis(rows.shape[-1], self.max_seq_len, 10000.0)
            self.register_buffer("turns", turns.to(rows.device), persistent=False)
        return apply_rotary_emb(rows.unsqueeze(2), self.turns[: rows.shape[1]]).squeeze(2)
