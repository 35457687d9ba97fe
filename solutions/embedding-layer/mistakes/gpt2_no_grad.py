# GPT2Embeddings: torch.no_grad left on
# Your sum is cut off from both tables, so neither is ever trained. torch.no_grad and detach
# belong around a use of the finished model, not into its forward.
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
