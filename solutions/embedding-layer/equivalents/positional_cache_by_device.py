# PositionalEmbedding: position ids kept for each device
# The first call on a device makes position ids there; later ones find them.
class PositionalEmbedding(nn.Module):
    def __init__(self, max_seq_len, embed_dim):
        super().__init__()
        self.table = nn.Embedding(max_seq_len, embed_dim)
        nn.init.normal_(self.table.weight, std=0.02)
        self.positions = {}

    def forward(self, token_ids):
        length, limit = token_ids.shape[1], self.table.num_embeddings
        if length > limit:
            raise ValueError(f"{length} tokens, {limit} positions")
        where = token_ids.device
        if where not in self.positions:
            self.positions[where] = torch.arange(limit, device=where)
        return self.table(self.positions[where][:length])
