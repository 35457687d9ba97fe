# GPT2Embeddings: works where its parameters are
# The ids go to the parameters' device, and positions that need no gradient are a parameter there.
class GPT2Embeddings(nn.Module):
    def __init__(self, vocab_size, max_seq_len, embed_dim):
        super().__init__()
        self.wte = nn.Embedding(vocab_size, embed_dim)
        self.wpe = nn.Embedding(max_seq_len, embed_dim)
        nn.init.normal_(self.wte.weight, std=0.02)
        nn.init.normal_(self.wpe.weight, std=0.02)
        self.counted = nn.Parameter(torch.arange(max_seq_len), requires_grad=False)

    def forward(self, token_ids):
        token_ids = token_ids.to(next(self.parameters()).device)
        return self.wte(token_ids) + self.wpe(self.counted[: token_ids.size(-1)])
