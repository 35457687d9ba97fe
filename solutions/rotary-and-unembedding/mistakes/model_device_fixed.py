# NanoChatEmbeddings: the rotations are moved to a device of its own choice
# You put the rotations on the accelerator because the machine has one; the model may be elsewhere.
# A model has no device of its own: it is where `.to(device)` moved it. Use a buffer.
class NanoChatEmbeddings(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.n_embd = n_embd
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.table = nn.Embedding(vocab_size, n_embd)
        self.head = nn.Linear(n_embd, vocab_size, bias=False)
        nn.init.zeros_(self.head.weight)

    def forward(self, token_ids, targets=None):
        vectors = self.table(token_ids).unsqueeze(2)
        freqs_cis = precompute_freqs_cis(self.n_embd, token_ids.shape[1], 10000.0)
        freqs_cis = freqs_cis.to(self.device)
        logits = self.head(apply_rotary_emb(vectors, freqs_cis).squeeze(2))
        if targets is None:
            return logits, None
        return logits, F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=-1)
