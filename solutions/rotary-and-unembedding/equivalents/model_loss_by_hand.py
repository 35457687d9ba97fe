# NanoChatEmbeddings: cross-entropy by hand
# not with: turns_pair*
# log_softmax, a gather and a mask.
class NanoChatEmbeddings(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.n_embd = n_embd
        self.table = nn.Embedding(vocab_size, n_embd)
        self.head = nn.Linear(n_embd, vocab_size, bias=False)
        nn.init.zeros_(self.head.weight)

    def forward(self, token_ids, targets=None):
        x = self.table(token_ids)[:, :, None]
        turns = precompute_freqs_cis(self.n_embd, token_ids.shape[1], 10000.0)
        x = apply_rotary_emb(x, turns.to(x.device))[:, :, 0]
        logits = self.head(x)
        if targets is None:
            return logits, None
        counts = targets != -1
        shares = logits.log_softmax(dim=-1)
        own = shares.gather(-1, targets.clamp(min=0)[..., None])[..., 0]
        return logits, -(own * counts).sum() / counts.sum()
