# NanoChatEmbeddings: a mask without a device
# You created the mask of the positions that count on the CPU, and the losses may be elsewhere. Use
# torch.ones_like(...), or (targets != -1) itself.
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
        counts = torch.ones(targets.shape)
        counts.masked_fill_(targets == -1, 0.0)
        losses = F.cross_entropy(
            logits.transpose(1, 2), targets, ignore_index=-1, reduction="none"
        )
        return logits, (losses * counts).sum() / counts.sum()
