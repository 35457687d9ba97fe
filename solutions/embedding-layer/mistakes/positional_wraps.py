# PositionalEmbedding: positions start again at the end
# After the last row, your positions start again at 0, so two positions of a sequence share a
# vector. Raise ValueError when the sequence is too long.
class PositionalEmbedding(nn.Module):
    def __init__(self, max_seq_len, embed_dim):
        super().__init__()
        self.max_seq_len = max_seq_len
        self.embedding = nn.Embedding(max_seq_len, embed_dim)
        nn.init.normal_(self.embedding.weight, mean=0.0, std=0.02)

    def forward(self, token_ids):
        positions = torch.arange(token_ids.shape[1], device=token_ids.device) % self.max_seq_len
        return self.embedding(positions)
