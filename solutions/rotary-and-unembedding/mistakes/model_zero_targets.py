# NanoChatEmbeddings: targets that are all 0 count as none
# You ask whether any target is not 0. Word 0 is a word like any other: ask `targets is None`.
class NanoChatEmbeddings(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.n_embd = n_embd
        self.table = nn.Embedding(vocab_size, n_embd)
        self.head = nn.Linear(n_embd, vocab_size, bias=False)
        nn.init.zeros_(self.head.weight)

    def forward(self, token_ids, targets=None):
        vectors = self.table(token_ids).unsqueeze(2)
        with vectors.device:
            freqs_cis = precompute_freqs_cis(vectors.shape[3], vectors.shape[1], 10000.0)
        logits = self.head(apply_rotary_emb(vectors, freqs_cis).squeeze(2))
        if targets is None or not targets.any():
            return logits, None
        return logits, F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=-1)
