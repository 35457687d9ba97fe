# EmbeddingLayer: the rotations as a parameter that is not learned
# not with: turns_pair*, turns_stacked, turned_pair
# `.to` moves it like any other parameter.
class EmbeddingLayer(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.table = nn.Embedding(vocab_size, n_embd)
        turns = precompute_freqs_cis(n_embd, max_seq_len, 10000.0)
        self.turns = nn.Parameter(turns, requires_grad=False)

    def forward(self, token_ids):
        x = self.table(token_ids).unsqueeze(2)
        return apply_rotary_emb(x, self.turns[: x.shape[1]]).squeeze(2)
