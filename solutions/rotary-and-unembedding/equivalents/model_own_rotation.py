# NanoChatEmbeddings: without the two functions
# The rotation is written out again, with complex numbers.
class NanoChatEmbeddings(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.n_embd = n_embd
        self.table = nn.Embedding(vocab_size, n_embd)
        self.head = nn.Linear(n_embd, vocab_size, bias=False)
        nn.init.zeros_(self.head.weight)
        frequencies = 10000.0 ** (-torch.arange(0, n_embd, 2) / n_embd)
        angles = torch.arange(max_seq_len)[:, None] * frequencies
        self.register_buffer("turns", torch.exp(1j * angles))

    def forward(self, token_ids, targets=None):
        x = torch.view_as_complex(self.table(token_ids).unflatten(-1, (-1, 2)))
        x = torch.view_as_real(x * self.turns[: token_ids.shape[1]]).flatten(-2)
        logits = x @ self.head.weight.T
        if targets is None:
            return logits, None
        return logits, F.cross_entropy(
            logits.reshape(-1, logits.shape[-1]), targets.reshape(-1), ignore_index=-1
        )
