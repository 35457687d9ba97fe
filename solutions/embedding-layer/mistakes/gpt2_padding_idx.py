# GPT2Embeddings: padding_idx freezes the row of id 0
# With padding_idx=0 row 0 of the token table gets no gradient and never learns. Here id 0 is a
# token like any other, even if it is used as padding.
class GPT2Embeddings(nn.Module):
    def __init__(self, vocab_size, max_seq_len, embed_dim):
        super().__init__()
        self.wte = nn.Embedding(vocab_size, embed_dim, padding_idx=0)
        self.wpe = nn.Embedding(max_seq_len, embed_dim)
        nn.init.normal_(self.wte.weight, std=0.02)
        nn.init.normal_(self.wpe.weight, std=0.02)

    def forward(self, token_ids):
        positions = torch.arange(token_ids.shape[1], device=token_ids.device)
        return self.wte(token_ids) + self.wpe(positions)
