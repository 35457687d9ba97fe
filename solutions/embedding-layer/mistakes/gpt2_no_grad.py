# GPT2Embeddings: torch.no_grad left on
# Your sum is detached from both tables, so neither is ever trained. Use torch.no_grad and detach
# around the finished model, not in its forward.
class GPT2Embeddings(nn.Module):
    def __init__(self, vocab_size, max_seq_len, embed_dim):
        super().__init__()
        self.wte = nn.Embedding(vocab_size, embed_dim)
        self.wpe = nn.Embedding(max_seq_len, embed_dim)
        nn.init.normal_(self.wte.weight, std=0.02)
        nn.init.normal_(self.wpe.weight, std=0.02)

    def forward(self, token_ids):
        positions = torch.arange(token_ids.shape[1], device=token_ids.device)
        with torch.no_grad():
            return self.wte(token_ids) + self.wpe(positions)
