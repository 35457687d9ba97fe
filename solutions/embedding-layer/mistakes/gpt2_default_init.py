# GPT2Embeddings: PyTorch's own initialisation
# Both tables have nn.Embedding's default numbers, with a standard deviation of 1. Draw them again
# with 0.02.
class GPT2Embeddings(nn.Module):
    def __init__(self, vocab_size, max_seq_len, embed_dim):
        super().__init__()
        self.wte = nn.Embedding(vocab_size, embed_dim)
        self.wpe = nn.Embedding(max_seq_len, embed_dim)

    def forward(self, token_ids):
        positions = torch.arange(token_ids.shape[1], device=token_ids.device)
        return self.wte(token_ids) + self.wpe(positions)
