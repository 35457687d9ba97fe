# PositionalEmbedding: [1, T, D], with registered position ids
# The position ids are a buffer that moves with the module.
class PositionalEmbedding(nn.Module):
    def __init__(self, max_seq_len, embed_dim):
        super().__init__()
        self.register_buffer("position_ids", torch.arange(max_seq_len)[None], persistent=False)
        self.table = nn.Embedding(max_seq_len, embed_dim)
        self.table.weight.data = torch.randn(max_seq_len, embed_dim, dtype=torch.float64).mul(0.02).float()

    def forward(self, token_ids):
        length = token_ids.shape[-1]
        if not length <= self.position_ids.shape[1]:
            raise ValueError(f"{length} > {self.position_ids.shape[1]}")
        return self.table(self.position_ids[:, :length])
