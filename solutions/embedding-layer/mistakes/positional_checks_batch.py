# PositionalEmbedding: the batch size is compared with the limit
# You compare the number of sequences with max_seq_len. Ids have the shape [B, T]: the length is the
# second axis, token_ids.shape[1], and B may have any size.
class PositionalEmbedding(nn.Module):
    def __init__(self, max_seq_len, embed_dim):
        super().__init__()
        self.max_seq_len = max_seq_len
        self.embedding = nn.Embedding(max_seq_len, embed_dim)
        nn.init.normal_(self.embedding.weight, mean=0.0, std=0.02)

    def forward(self, token_ids):
        if token_ids.shape[0] > self.max_seq_len:
            raise ValueError(f"{token_ids.shape[0]} is more than {self.max_seq_len}")
        positions = torch.arange(token_ids.shape[1], device=token_ids.device)
        return self.embedding(positions)
