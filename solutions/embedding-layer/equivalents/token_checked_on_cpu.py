# TokenEmbedding: the ids are checked with NumPy
# A copy of the ids on the CPU is checked, and a copy on the table's device is looked up.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, embed_dim):
        super().__init__()
        self.table = nn.Parameter(torch.normal(0.0, 0.02, size=(vocab_size, embed_dim)))

    def forward(self, token_ids):
        numbers = token_ids.detach().cpu().numpy()
        if not np.issubdtype(numbers.dtype, np.integer):
            raise ValueError(f"ids of type {numbers.dtype}")
        if numbers.size and (numbers.min() < 0 or numbers.max() >= len(self.table)):
            raise ValueError(f"ids from {numbers.min()} to {numbers.max()}")
        return F.embedding(torch.from_numpy(numbers).to(self.table.device), self.table)
