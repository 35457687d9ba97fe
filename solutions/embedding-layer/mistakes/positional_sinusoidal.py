# PositionalEmbedding: sines instead of a learned table
# You computed sines and cosines. GPT-2's positions are learned: a table of parameters that starts
# with small random numbers.
class PositionalEmbedding(nn.Module):
    def __init__(self, max_seq_len, embed_dim):
        super().__init__()
        self.max_seq_len = max_seq_len
        positions = torch.arange(max_seq_len).float()[:, None]
        columns = torch.arange(embed_dim)
        angles = positions / 10000 ** ((columns - columns % 2) / embed_dim)
        self.table = nn.Parameter(torch.where(columns % 2 == 0, angles.sin(), angles.cos()))

    def forward(self, token_ids):
        if token_ids.shape[1] > self.max_seq_len:
            raise ValueError("sequence too long")
        return self.table[: token_ids.shape[1]]
