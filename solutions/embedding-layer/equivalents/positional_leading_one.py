# PositionalEmbedding: a parameter [1, max_seq_len, embed_dim]
# As minGPT keeps it: the leading axis of length 1 stands for the batch.
class PositionalEmbedding(nn.Module):
    def __init__(self, max_seq_len, embed_dim):
        super().__init__()
        self.max_seq_len = max_seq_len
        self.pos_emb = nn.Parameter(torch.zeros(1, max_seq_len, embed_dim))
        nn.init.normal_(self.pos_emb, mean=0.0, std=0.02)

    def forward(self, token_ids):
        length = token_ids.shape[1]
        if length > self.max_seq_len:
            raise ValueError(f"{length} tokens are more than {self.max_seq_len} positions")
        return self.pos_emb[:, :length, :]
