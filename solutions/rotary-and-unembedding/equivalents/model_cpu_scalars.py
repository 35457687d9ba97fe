# NanoChatEmbeddings: a total that begins on the CPU
# not with: turns_pair*, turns_stacked, turned_pair
# Single numbers on the CPU may meet tensors on every device.
class NanoChatEmbeddings(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.n_embd = n_embd
        self.table = nn.Embedding(vocab_size, n_embd)
        self.head = nn.Linear(n_embd, vocab_size, bias=False)
        nn.init.zeros_(self.head.weight)
        self.register_buffer("turns", precompute_freqs_cis(n_embd, max_seq_len, 10000.0))

    def forward(self, token_ids, targets=None):
        x = self.table(token_ids).unsqueeze(2)
        logits = self.head(apply_rotary_emb(x, self.turns[: token_ids.shape[1]]).squeeze(2))
        if targets is None:
            return logits, None
        total, count = torch.tensor(0.0), torch.tensor(0)
        for row, wanted in zip(logits, targets):
            total = total + F.cross_entropy(row, wanted, ignore_index=-1, reduction="sum")
            count = count + (wanted != -1).sum()
        return logits, total / count
