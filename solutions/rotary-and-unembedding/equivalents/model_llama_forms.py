# NanoChatEmbeddings: exp(-log) and complex products
# The frequencies by exp and log, in float32.
class NanoChatEmbeddings(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.n_embd = n_embd
        self.wte = nn.Embedding(vocab_size, n_embd)
        self.head = nn.Linear(n_embd, vocab_size, bias=False)
        nn.init.zeros_(self.head.weight)
        freqs = torch.exp(torch.arange(0, n_embd, 2).float() * (-math.log(10000.0) / n_embd))
        angles = torch.outer(torch.arange(max_seq_len).float(), freqs)
        self.register_buffer("cos", angles.cos(), persistent=False)
        self.register_buffer("sin", angles.sin(), persistent=False)

    def forward(self, token_ids, targets=None):
        x = self.wte(token_ids).unflatten(-1, (-1, 2))
        cos, sin = self.cos[: token_ids.shape[1]], self.sin[: token_ids.shape[1]]
        x = torch.stack((x[..., 0] * cos - x[..., 1] * sin, x[..., 0] * sin + x[..., 1] * cos), -1)
        logits = F.linear(x.flatten(-2), self.head.weight)
        if targets is None:
            return logits, None
        loss = nn.CrossEntropyLoss(ignore_index=-1)(logits.permute(0, 2, 1), targets)
        return logits, loss
