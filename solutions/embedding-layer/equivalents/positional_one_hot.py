# PositionalEmbedding: one-hot positions times table
# The first T rows of an identity matrix are one-hot positions; the table is [1, M, D] transposed.
class PositionalEmbedding(nn.Module):
    def __init__(self, max_seq_len, embed_dim):
        super().__init__()
        self.to_vectors = nn.Linear(max_seq_len, embed_dim, bias=False)
        nn.init.normal_(self.to_vectors.weight, std=0.02)

    def forward(self, token_ids):
        limit = self.to_vectors.in_features
        if len(token_ids[0]) > limit:
            raise ValueError("sequence too long")
        one_hot = torch.eye(limit, device=token_ids.device)[: len(token_ids[0])]
        return self.to_vectors(one_hot).unsqueeze(0)
