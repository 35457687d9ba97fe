# EmbeddingLayer: rotations that are kept for each device
# not with: turns_pair*, turns_stacked, turned_pair
# A plain dictionary whose key is the device.
class EmbeddingLayer(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.table = nn.Embedding(vocab_size, n_embd)
        self.size, self.kept = (n_embd, max_seq_len, 10000.0), {}

    def turns_on(self, device):
        if device not in self.kept:
            self.kept[device] = precompute_freqs_cis(*self.size).to(device)
        return self.kept[device]

    def forward(self, token_ids):
        x = self.table(token_ids).unsqueeze(2)
        return apply_rotary_emb(x, self.turns_on(x.device)[: x.shape[1]]).squeeze(2)
