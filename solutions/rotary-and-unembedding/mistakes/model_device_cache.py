# NanoChatEmbeddings: keeps the rotations of the first call
# The first call creates the rotations and keeps them, on the device of that call. If the model is
# moved later, they stay behind. Create them again if the device changes, or use a buffer.
class NanoChatEmbeddings(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.n_embd = n_embd
        self.max_seq_len = max_seq_len
        self.table = nn.Embedding(vocab_size, n_embd)
        self.head = nn.Linear(n_embd, vocab_size, bias=False)
        nn.init.zeros_(self.head.weight)

    def forward(self, token_ids, targets=None):
        vectors = self.table(token_ids).unsqueeze(2)
        if not hasattr(self, "freqs_cis"):
            table = precompute_freqs_cis(self.n_embd, self.max_seq_len, 10000.0)
            self.freqs_cis = table.to(vectors.device)
        freqs_cis = self.freqs_cis[: token_ids.shape[1]]
        logits = self.head(apply_rotary_emb(vectors, freqs_cis).squeeze(2))
        if targets is None:
            return logits, None
        return logits, F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=-1)
