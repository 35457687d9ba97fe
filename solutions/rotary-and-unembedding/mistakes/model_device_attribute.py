# NanoChatEmbeddings: the rotations are a plain attribute
# You store the rotations as a plain attribute. `.to(device)` moves only parameters and buffers. Use
# self.register_buffer("freqs_cis", ...).
class NanoChatEmbeddings(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.n_embd = n_embd
        self.table = nn.Embedding(vocab_size, n_embd)
        self.head = nn.Linear(n_embd, vocab_size, bias=False)
        nn.init.zeros_(self.head.weight)
        self.freqs_cis = precompute_freqs_cis(n_embd, max_seq_len, 10000.0)

    def forward(self, token_ids, targets=None):
        vectors = self.table(token_ids).unsqueeze(2)
        freqs_cis = self.freqs_cis[: token_ids.shape[1]]
        logits = self.head(apply_rotary_emb(vectors, freqs_cis).squeeze(2))
        if targets is None:
            return logits, None
        return logits, F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=-1)
