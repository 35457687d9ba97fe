# PositionalEmbedding: the result is on the CPU
# Your result is on the CPU wherever the module is: you filled a tensor that was created without
# `device=`, or moved the result there. It should be where the token ids are.
class PositionalEmbedding(nn.Module):
    def __init__(self, max_seq_len, embed_dim):
        super().__init__()
        self.max_seq_len = max_seq_len
        self.embedding = nn.Embedding(max_seq_len, embed_dim)
        nn.init.normal_(self.embedding.weight, mean=0.0, std=0.02)

    def forward(self, token_ids):
        if token_ids.shape[1] > self.max_seq_len:
            raise ValueError("sequence too long")
        rows = torch.zeros(token_ids.shape[1], self.embedding.embedding_dim)
        for position in range(token_ids.shape[1]):
            rows[position] = self.embedding.weight[position]
        return rows
