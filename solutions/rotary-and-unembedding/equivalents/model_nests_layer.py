# NanoChatEmbeddings: built on EmbeddingLayer
# not with: EmbeddingLayer
# Exercise 3 does the first half.
class NanoChatEmbeddings(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.n_embd = n_embd
        self.embed = EmbeddingLayer(vocab_size, n_embd, max_seq_len)
        self.head = nn.Linear(n_embd, vocab_size, bias=False)
        nn.init.zeros_(self.head.weight)

    def forward(self, token_ids, targets=None):
        logits = self.head(self.embed(token_ids))
        loss = None
        if targets is not None:
            loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=-1)
        return logits, loss
