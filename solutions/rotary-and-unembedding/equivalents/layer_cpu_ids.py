# EmbeddingLayer: rows by ids on the CPU
# not with: turns_pair*, turns_stacked, turned_pair
# Indexing a table takes ids from the CPU on every device.
class EmbeddingLayer(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.table = nn.Embedding(vocab_size, n_embd)
        turns = precompute_freqs_cis(n_embd, max_seq_len, 10000.0)
        self.register_buffer("turns", turns, persistent=False)

    def forward(self, token_ids):
        x = self.table.weight[token_ids.cpu()].unsqueeze(2)
        return apply_rotary_emb(x, self.turns[: token_ids.shape[1]]).squeeze(2)
