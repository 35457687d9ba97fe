# EmbeddingLayer: exp(-log) in the layer
# The frequencies by exp and log, and rotation matrices.
class EmbeddingLayer(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.emb = nn.Embedding(vocab_size, n_embd)
        inverse = torch.exp(torch.arange(0, n_embd, 2).float() * (-math.log(10000.0) / n_embd))
        self.register_buffer("inverse", inverse)

    def forward(self, token_ids):
        steps = torch.arange(token_ids.shape[1], device=token_ids.device).float()
        angles = steps[:, None] * self.inverse
        rows = torch.stack((angles.cos(), -angles.sin(), angles.sin(), angles.cos()), -1)
        matrices = rows.unflatten(-1, (2, 2))
        pairs = self.emb(token_ids).unflatten(-1, (-1, 2)).unsqueeze(-1)
        return (matrices @ pairs).flatten(2)
