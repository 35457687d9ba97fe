# NanoChatEmbeddings: the last rotations instead of the first
# You took the last rows of the table of rotations, so a short text does not start at position 0.
class NanoChatEmbeddings(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.n_embd = n_embd
        self.transformer = nn.ModuleDict(dict(wte=nn.Embedding(vocab_size, n_embd)))
        self.lm_head = nn.Linear(n_embd, vocab_size, bias=False)
        nn.init.zeros_(self.lm_head.weight)
        self.register_buffer("freqs_cis", precompute_freqs_cis(n_embd, max_seq_len, 10000.0), persistent=False)

    def forward(self, token_ids, targets=None):
        B, T = token_ids.size()
        x = self.transformer.wte(token_ids)
        x = apply_rotary_emb(x.unsqueeze(2), self.freqs_cis[-T:]).squeeze(2)
        logits = self.lm_head(x)
        loss = None
        if targets is not None:
            loss = F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1), ignore_index=-1)
        return logits, loss
