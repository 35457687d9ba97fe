# TokenEmbedding: bounds as tensors of one number
# Tensors without axes may stay on the CPU: they are compared like plain numbers.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, embed_dim):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(vocab_size, embed_dim))
        nn.init.normal_(self.weight, std=0.02)
        self.lowest, self.limit = torch.tensor(0), torch.tensor(vocab_size)

    def forward(self, token_ids):
        if token_ids.dtype.is_floating_point:
            raise ValueError("ids in floating point")
        outside = torch.logical_or(token_ids < self.lowest, token_ids >= self.limit)
        if outside.any():
            raise ValueError("an id is out of range")
        return torch.index_select(self.weight, 0, token_ids.flatten()).view(*token_ids.shape, -1)
