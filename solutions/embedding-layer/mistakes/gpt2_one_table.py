# GPT2Embeddings: one table for both
# You look tokens and positions up in one table. They need separate tables: one with a row 3 for
# token 3, and another with a row 3 for position 3.
class GPT2Embeddings(nn.Module):
    def __init__(self, vocab_size, max_seq_len, embed_dim):
        super().__init__()
        self.wte = nn.Embedding(max(vocab_size, max_seq_len), embed_dim)
        nn.init.normal_(self.wte.weight, std=0.02)

    def forward(self, token_ids):
        positions = torch.arange(token_ids.shape[1], device=token_ids.device)
        return self.wte(token_ids) + self.wte(positions)
