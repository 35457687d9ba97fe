# PositionalEmbedding: a plain tensor of positions, moved in each call
# The positions are no buffer, so each call moves them to the ids.
class PositionalEmbedding(nn.Module):
    def __init__(self, max_seq_len, embed_dim):
        super().__init__()
        self.table = nn.Embedding(max_seq_len, embed_dim)
        self.table.weight.data.normal_(mean=0.0, std=0.02)
        self.positions = torch.arange(max_seq_len)

    def forward(self, token_ids):
        if token_ids.size(1) > len(self.positions):
            raise ValueError("the sequence is too long")
        positions = self.positions[: token_ids.size(1)].to(token_ids.device)
        return self.table(positions).expand(token_ids.size(0), -1, -1)
