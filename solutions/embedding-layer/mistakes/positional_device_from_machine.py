# PositionalEmbedding: the device is chosen by what the machine has
# You create the position ids on the accelerator if the machine has one, not where the token ids
# are. The module may be used on the CPU of the same machine: use `device=token_ids.device`.
class PositionalEmbedding(nn.Module):
    def __init__(self, max_seq_len, embed_dim):
        super().__init__()
        self.max_seq_len = max_seq_len
        self.embedding = nn.Embedding(max_seq_len, embed_dim)
        nn.init.normal_(self.embedding.weight, mean=0.0, std=0.02)
        self.device = "cuda" if torch.cuda.is_available() else "cpu"

    def forward(self, token_ids):
        if token_ids.shape[1] > self.max_seq_len:
            raise ValueError("sequence too long")
        return self.embedding(torch.arange(token_ids.shape[1], device=self.device))
