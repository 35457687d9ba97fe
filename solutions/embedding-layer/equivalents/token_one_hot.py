# TokenEmbedding: a linear layer on one-hot vectors
# The table is stored transposed, [D, V], as the weight of a linear layer without bias.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, embed_dim):
        super().__init__()
        self.project = nn.Linear(vocab_size, embed_dim, bias=False)
        self.project.weight.data.normal_(0, 0.02)

    def forward(self, token_ids):
        if token_ids.dtype in (torch.float16, torch.bfloat16, torch.float32, torch.float64):
            raise ValueError("token ids must be whole numbers")
        size = self.project.in_features
        bad = token_ids[(token_ids < 0) | (token_ids >= size)]
        if len(bad):
            raise ValueError(f"{bad.tolist()} not in [0, {size})")
        return self.project(F.one_hot(token_ids.long(), size).float())
