# NanoChatEmbeddings: a sum instead of a mean
# Your loss is the sum over all positions, so it grows with the batch. Take the mean: then the loss
# of a new model is ln V.
class NanoChatEmbeddings(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.n_embd = n_embd
        self.table = nn.Embedding(vocab_size, n_embd)
        self.head = nn.Linear(n_embd, vocab_size, bias=False)
        nn.init.zeros_(self.head.weight)

    def forward(self, token_ids, targets=None):
        vectors = self.table(token_ids).unsqueeze(2)
        freqs_cis = precompute_freqs_cis(vectors.shape[3], vectors.shape[1], 10000.0)
        logits = self.head(apply_rotary_emb(vectors, freqs_cis.to(vectors.device)).squeeze(2))
        if targets is None:
            return logits, None
        loss = F.cross_entropy(
            logits.flatten(0, 1), targets.flatten(), ignore_index=-1, reduction="sum"
        )
        return logits, loss
