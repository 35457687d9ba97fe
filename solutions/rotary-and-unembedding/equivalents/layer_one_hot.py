# EmbeddingLayer: one-hot vectors
# The lookup is a product with one-hot vectors; a table stored transposed.
class EmbeddingLayer(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.vocab_size = vocab_size
        self.linear = nn.Linear(vocab_size, n_embd, bias=False)
        steps = torch.arange(max_seq_len, dtype=torch.float64)
        frequencies = 1e4 ** (-torch.arange(0, n_embd, 2, dtype=torch.float64) / n_embd)
        self.angles = torch.outer(steps, frequencies).float()

    def forward(self, token_ids):
        x = self.linear(F.one_hot(token_ids, self.vocab_size).float())
        angles = self.angles[: token_ids.shape[1]].to(x.device)
        turns = torch.polar(torch.ones_like(angles), angles)
        pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)).contiguous())
        return torch.view_as_real(pairs * turns).flatten(-2)
