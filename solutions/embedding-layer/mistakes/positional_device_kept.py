# PositionalEmbedding: position ids are kept from the first call
# You create the position ids in the first call and keep them. They stay on the device of that call,
# even if the module is moved. Register them as a buffer, or create them in every call.
class PositionalEmbedding(nn.Module):
    def __init__(self, max_seq_len, embed_dim):
        super().__init__()
        self.max_seq_len = max_seq_len
        self.embedding = nn.Embedding(max_seq_len, embed_dim)
        nn.init.normal_(self.embedding.weight, mean=0.0, std=0.02)
        self.positions = None

    def forward(self, token_ids):
        if token_ids.shape[1] > self.max_seq_len:
            raise ValueError("sequence too long")
        if self.positions is None:
            self.positions = torch.arange(self.max_seq_len, device=token_ids.device)
        return self.embedding(self.positions[: token_ids.shape[1]])
