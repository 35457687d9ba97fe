# PositionalEmbedding: a parameter indexed with positions on the CPU
# Positions on the CPU may index a parameter anywhere; the rows are where the parameter is.
class PositionalEmbedding(nn.Module):
    def __init__(self, max_seq_len, embed_dim):
        super().__init__()
        self.rows = nn.Parameter(torch.randn(max_seq_len, embed_dim).mul_(0.02))

    def forward(self, token_ids):
        *_, length = token_ids.shape
        if length > self.rows.shape[0]:
            raise ValueError("too many tokens")
        return self.rows[torch.arange(length)]
