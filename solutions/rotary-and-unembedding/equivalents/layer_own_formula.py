# EmbeddingLayer: without the two functions
# cos and sin buffers of its own, by pairs.
class EmbeddingLayer(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len, theta=10000.0):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(vocab_size, n_embd))
        frequencies = theta ** (-torch.arange(0, n_embd, 2) / n_embd)
        angles = torch.arange(max_seq_len)[:, None] * frequencies
        self.register_buffer("cos", angles.cos(), persistent=False)
        self.register_buffer("sin", angles.sin(), persistent=False)

    def forward(self, token_ids):
        x = self.weight[token_ids]
        cos, sin = self.cos[: token_ids.size(1)], self.sin[: token_ids.size(1)]
        a, b = x[..., 0::2], x[..., 1::2]
        return torch.stack((a * cos - b * sin, a * sin + b * cos), dim=-1).flatten(-2)
