# NanoChatEmbeddings: logits collected, one-hot targets
# not with: turns_pair*
# Made with device= throughout: the logits, and an identity matrix for the targets.
class NanoChatEmbeddings(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.n_embd = n_embd
        self.table = nn.Embedding(vocab_size, n_embd)
        self.head = nn.Linear(n_embd, vocab_size, bias=False)
        nn.init.zeros_(self.head.weight)

    def forward(self, token_ids, targets=None):
        here, T = token_ids.device, token_ids.shape[1]
        turns = precompute_freqs_cis(self.n_embd, T, 10000.0).to(here)
        x = apply_rotary_emb(self.table(token_ids)[:, :, None], turns)[:, :, 0]
        logits = torch.zeros(*token_ids.shape, self.head.out_features, device=here)
        for t in range(T):
            logits[:, t] = self.head(x[:, t])
        if targets is None:
            return logits, None
        counts = targets != -1
        wanted = torch.eye(logits.shape[-1], device=here)[targets[counts]]
        return logits, -(logits[counts].log_softmax(dim=1) * wanted).sum(dim=1).mean()
