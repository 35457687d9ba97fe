# NanoChatEmbeddings: words on axis 1
# not with: turns_pair*
# cross_entropy on [B, V, T], and parameters of its own without nn.Linear.
class NanoChatEmbeddings(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.n_embd = n_embd
        self.embedding = nn.Embedding(vocab_size, n_embd)
        self.unembedding = nn.Parameter(torch.zeros(n_embd, vocab_size))
        self.criterion = nn.CrossEntropyLoss(ignore_index=-1)

    def forward(self, token_ids, targets=None):
        x = self.embedding(token_ids).unsqueeze(-2)
        turns = precompute_freqs_cis(x.shape[-1], x.shape[1], 10000.0).to(self.unembedding.device)
        logits = apply_rotary_emb(x, turns).squeeze(-2) @ self.unembedding
        loss = None if targets is None else self.criterion(logits.transpose(1, 2), targets)
        return [logits, loss]
