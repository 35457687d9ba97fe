# EmbeddingLayer: a module for the rotations
# not with: turned_pair
# Frequencies in a buffer that is saved; positions on its device.
class Rotary(nn.Module):
    def __init__(self, dim, base=10000.0):
        super().__init__()
        self.register_buffer("inv_freq", 1.0 / base ** (torch.arange(0, dim, 2).float() / dim))

    def forward(self, x):
        steps = torch.arange(x.shape[1], device=x.device).type_as(self.inv_freq)
        angles = torch.outer(steps, self.inv_freq)
        return torch.polar(torch.ones_like(angles), angles)


class EmbeddingLayer(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.wte = nn.Embedding(vocab_size, n_embd)
        self.rotary = Rotary(n_embd)

    def forward(self, idx):
        x = self.wte(idx)
        return apply_rotary_emb(x.unsqueeze(2), self.rotary(x)).squeeze(2)
