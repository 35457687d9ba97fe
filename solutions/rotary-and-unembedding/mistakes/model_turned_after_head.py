# NanoChatEmbeddings: logits are rotated
# You rotated the logits. Rotate the vectors instead, after the lookup and before the head.
class NanoChatEmbeddings(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.n_embd = n_embd
        self.table = nn.Embedding(vocab_size, n_embd)
        self.head = nn.Linear(n_embd, vocab_size, bias=False)
        nn.init.zeros_(self.head.weight)

    def forward(self, token_ids, targets=None):
        logits = self.head(self.table(token_ids)).unsqueeze(2)
        logits = F.pad(logits, (0, logits.shape[3] % 2))
        freqs_cis = precompute_freqs_cis(logits.shape[3], logits.shape[1], 10000.0)
        logits = apply_rotary_emb(logits, freqs_cis.to(logits.device)).squeeze(2)[..., : self.head.out_features]
        if targets is None:
            return logits, None
        return logits, F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=-1)
