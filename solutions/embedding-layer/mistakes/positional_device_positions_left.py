# PositionalEmbedding: position ids are created on the CPU
# You create the position ids on the CPU, and look them up in a table that may be elsewhere. Create
# them where the token ids are: `torch.arange(T, device=token_ids.device)`.
class PositionalEmbedding(nn.Module):
    def __init__(self, max_seq_len, embed_dim):
        super().__init__()
        self.max_seq_len = max_seq_len
        self.embedding = nn.Embedding(max_seq_len, embed_dim)
        nn.init.normal_(self.embedding.weight, mean=0.0, std=0.02)

    def forward(self, token_ids):
        if token_ids.shape[1] > self.max_seq_len:
            raise ValueError("sequence too long")
        return self.embedding(torch.arange(token_ids.shape[1]))
