# NanoChatEmbeddings: only the places that count
# not with: turns_pair*, turns_stacked, turned_pair
# The loss is that of the places that count, chosen by a mask.
class NanoChatEmbeddings(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.n_embd = n_embd
        self.head = nn.Linear(n_embd, vocab_size, bias=False)
        self.table = nn.Embedding(vocab_size, n_embd)
        torch.nn.init.constant_(self.head.weight, 0.0)
        self.turns = precompute_freqs_cis(n_embd, max_seq_len, 10000.0)

    def forward(self, token_ids, targets=None):
        turns = self.turns.to(token_ids.device)[: token_ids.shape[1]]
        x = apply_rotary_emb(self.table(token_ids).unsqueeze(2), turns)
        logits = self.head(x).squeeze(2)
        if targets is None:
            return logits, None
        counts = targets >= 0
        return logits, F.nll_loss(F.log_softmax(logits[counts], dim=-1), targets[counts])
