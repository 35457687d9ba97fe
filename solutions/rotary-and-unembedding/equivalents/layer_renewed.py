# EmbeddingLayer: rotations that are made again elsewhere
# not with: turns_pair*, turns_stacked, turned_pair
# A plain attribute, made again when the device is another one.
class EmbeddingLayer(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.table = nn.Embedding(vocab_size, n_embd)
        self.size, self.turns = (n_embd, max_seq_len, 10000.0), None

    def forward(self, token_ids):
        if self.turns is None or self.turns.device != token_ids.device:
            self.turns = precompute_freqs_cis(*self.size).to(token_ids.device)
        x = self.table(token_ids).unsqueeze(2)
        return apply_rotary_emb(x, self.turns[: x.shape[1]]).squeeze(2)
