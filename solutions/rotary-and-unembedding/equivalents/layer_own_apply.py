# EmbeddingLayer: moves a plain attribute itself
# not with: turns_pair*, turns_stacked, turned_pair
# `_apply` is what .to, .cuda and .cpu call.
class EmbeddingLayer(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.table = nn.Embedding(vocab_size, n_embd)
        self.turns = precompute_freqs_cis(n_embd, max_seq_len, 10000.0)

    def _apply(self, fn, *args, **kwargs):
        super()._apply(fn, *args, **kwargs)
        self.turns = fn(self.turns)
        return self

    def forward(self, token_ids):
        x = self.table(token_ids).unsqueeze(2)
        return apply_rotary_emb(x, self.turns[: x.shape[1]]).squeeze(2)
