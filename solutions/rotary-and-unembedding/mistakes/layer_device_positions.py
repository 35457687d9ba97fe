# EmbeddingLayer: positions without a device
# You created the positions with torch.arange on the CPU, and the frequencies are where the layer
# is. Use device=token_ids.device.
class EmbeddingLayer(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.table = nn.Embedding(vocab_size, n_embd)
        frequencies = 10000.0 ** (-torch.arange(0, n_embd, 2) / n_embd)
        self.register_buffer("frequencies", frequencies)

    def forward(self, token_ids):
        vectors = self.table(token_ids).unsqueeze(2)
        angles = torch.outer(torch.arange(token_ids.shape[1]), self.frequencies)
        freqs_cis = torch.polar(torch.ones_like(angles), angles)
        return apply_rotary_emb(vectors, freqs_cis).squeeze(2)
