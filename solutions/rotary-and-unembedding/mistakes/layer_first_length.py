# EmbeddingLayer: the length of the first input
# You keep the rotations of the first input for all later ones. They are too few for a longer input:
# create them for the current length, or for `max_seq_len` at once.
class EmbeddingLayer(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.table = nn.Embedding(vocab_size, n_embd)
        self.turns = None

    def forward(self, token_ids):
        vectors = self.table(token_ids).unsqueeze(2)
        if self.turns is None or self.turns.device != vectors.device:
            turns = precompute_freqs_cis(vectors.shape[3], vectors.shape[1], 10000.0)
            self.turns = turns.to(vectors.device)
        return apply_rotary_emb(vectors, self.turns[: vectors.shape[1]]).squeeze(2)
