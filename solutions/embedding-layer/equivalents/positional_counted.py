# PositionalEmbedding: positions counted with cumsum
# Ones of the shape of the ids are added up; an IndexError becomes a ValueError.
class PositionalEmbedding(nn.Embedding):
    def __init__(self, max_seq_len, embed_dim):
        super().__init__(max_seq_len, embed_dim)
        nn.init.normal_(self.weight, std=0.02)

    def forward(self, token_ids):
        positions = torch.ones_like(token_ids).cumsum(dim=1) - 1
        try:
            return super().forward(positions)
        except IndexError:
            raise ValueError("the sequence is longer than the table") from None
