# NanoChatEmbeddings: a running total without a device
# You add up losses in place in a torch.zeros(...) on the CPU. Start with one on the device of the
# logits, or let torch compute the sum: F.cross_entropy takes all positions at once.
class NanoChatEmbeddings(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.n_embd = n_embd
        self.table = nn.Embedding(vocab_size, n_embd)
        self.head = nn.Linear(n_embd, vocab_size, bias=False)
        nn.init.zeros_(self.head.weight)
        turns = precompute_freqs_cis(n_embd, max_seq_len, 10000.0)
        self.register_buffer("freqs_cis", turns, persistent=False)

    def forward(self, token_ids, targets=None):
        vectors = self.table(token_ids).unsqueeze(2)
        freqs_cis = self.freqs_cis[: token_ids.shape[1]]
        logits = self.head(apply_rotary_emb(vectors, freqs_cis).squeeze(2))
        if targets is None:
            return logits, None
        total = torch.zeros(())
        for row, wanted in zip(logits, targets):
            total += F.cross_entropy(row, wanted, ignore_index=-1, reduction="sum")
        return logits, total / (targets != -1).sum()
