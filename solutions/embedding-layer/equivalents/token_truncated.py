# TokenEmbedding: trunc_normal_ with bounds far out
# Its bounds are -2 and 2, a hundred standard deviations away, so nothing is cut.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, embed_dim):
        super().__init__()
        self.emb = nn.Embedding(vocab_size, embed_dim)
        self.apply(self._init_weights)

    def _init_weights(self, module):
        if isinstance(module, nn.Embedding):
            nn.init.trunc_normal_(module.weight, mean=0.0, std=0.02)

    def _check(self, ids):
        if ids.dtype not in {torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64}:
            raise ValueError(f"Expected integer token ids, got {ids.dtype}")
        if torch.any(ids < 0) or torch.any(ids >= self.emb.num_embeddings):
            raise ValueError("Token ids out of range")

    def forward(self, ids):
        self._check(ids)
        return self.emb(ids)
