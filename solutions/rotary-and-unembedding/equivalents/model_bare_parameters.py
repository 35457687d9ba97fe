# NanoChatEmbeddings: bare parameters
# not with: turns_pair*, turns_stacked, turned_pair
# The rotations are a parameter that is not learned; einsum for the head.
class NanoChatEmbeddings(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.n_embd = n_embd
        self.wte = nn.Parameter(torch.randn(vocab_size, n_embd))
        self.head = nn.Parameter(torch.zeros(vocab_size, n_embd))
        turns = precompute_freqs_cis(n_embd, max_seq_len, 10000.0)
        self.turns = nn.Parameter(turns, requires_grad=False)

    def forward(self, token_ids, targets=None):
        x = self.wte[token_ids].unsqueeze(2)
        x = apply_rotary_emb(x, self.turns[: token_ids.shape[1]]).squeeze(2)
        logits = torch.einsum("btd,vd->btv", x, self.head)
        if targets is None:
            return logits, None
        return logits, F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=-1)
