# NanoChatEmbeddings: asks its parameters where it is
# not with: turns_pair*, turns_stacked, turned_pair
# Sub-layers in an nn.ModuleDict; the rotations are moved to next(self.parameters()).device.
class NanoChatEmbeddings(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.n_embd = n_embd
        table, head = nn.Embedding(vocab_size, n_embd), nn.Linear(n_embd, vocab_size, bias=False)
        self.parts = nn.ModuleDict({"table": table, "head": head})
        nn.init.zeros_(head.weight)
        self.limit = max_seq_len

    def forward(self, token_ids, targets=None):
        device = next(self.parameters()).device
        turns = precompute_freqs_cis(self.n_embd, self.limit, 10000.0).to(device)
        x = self.parts["table"](token_ids.to(device)).unsqueeze(2)
        logits = self.parts["head"](apply_rotary_emb(x, turns[: x.shape[1]]).squeeze(2))
        if targets is None:
            return logits, None
        targets = targets.to(device)
        return logits, F.cross_entropy(logits.mT, targets, ignore_index=-1)
