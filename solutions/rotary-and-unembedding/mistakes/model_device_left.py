# NanoChatEmbeddings: logits are collected on the CPU
# You write the logits position by position into a torch.zeros(...) on the CPU. Use
# device=token_ids.device, or send all positions through the head at once.
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
        turned = apply_rotary_emb(vectors, self.freqs_cis[: token_ids.shape[1]]).squeeze(2)
        logits = torch.zeros(*token_ids.shape, self.head.out_features)
        for t in range(token_ids.shape[1]):
            logits[:, t] = self.head(turned[:, t])
        if targets is None:
            return logits, None
        return logits, F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=-1)
