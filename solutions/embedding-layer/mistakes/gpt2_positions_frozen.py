# GPT2Embeddings: the position table is frozen
# nn.Embedding.from_pretrained freezes its table, so yours is never trained. Use freeze=False, or
# an ordinary nn.Embedding: both tables are learned.
class GPT2Embeddings(nn.Module):
    def __init__(self, vocab_size, max_seq_len, embed_dim):
        super().__init__()
        self.wte = nn.Embedding(vocab_size, embed_dim)
        nn.init.normal_(self.wte.weight, std=0.02)
        self.wpe = nn.Embedding.from_pretrained(0.02 * torch.randn(max_seq_len, embed_dim))

    def forward(self, token_ids):
        positions = torch.arange(token_ids.shape[1], device=token_ids.device)
        return self.wte(token_ids) + self.wpe(positions)
