# PositionalEmbedding: a plain tensor that is moved with the module
# `_apply` is what `.to`, `.cuda` and `.cpu` call; here it moves the positions, too.
class PositionalEmbedding(nn.Module):
    def __init__(self, max_seq_len, embed_dim):
        super().__init__()
        self.table = nn.Embedding(max_seq_len, embed_dim)
        nn.init.normal_(self.table.weight, std=0.02)
        self.positions = torch.arange(max_seq_len)

    def _apply(self, fn, *args, **kwargs):
        super()._apply(fn, *args, **kwargs)
        self.positions = fn(self.positions)
        return self

    def forward(self, token_ids):
        length = token_ids.shape[1]
        if length > len(self.positions):
            raise ValueError("more tokens than positions")
        return self.table(self.positions[:length])
