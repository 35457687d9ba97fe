# TokenEmbedding: numbers from NumPy in float64, cast
# NumPy draws the table; the lookup is F.embedding.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, embed_dim):
        super().__init__()
        numbers = np.random.default_rng(5).normal(0.0, 0.02, size=(vocab_size, embed_dim))
        self.table = nn.Parameter(torch.from_numpy(numbers).float())

    def forward(self, token_ids):
        if "int" not in str(token_ids.dtype):
            raise ValueError("ids must be integers")
        for i in token_ids.flatten().tolist():
            if not 0 <= i < self.table.shape[0]:
                raise ValueError(f"id {i} is out of range")
        return F.embedding(token_ids, self.table)
