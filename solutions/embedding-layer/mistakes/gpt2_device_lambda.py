# GPT2Embeddings: a function keeps the first table
# You store a function that uses the table of the module in which it was created. A deep copy of the
# module has its own table, but the function still uses the old one. Use the table of `self` in
# forward.
class GPT2Embeddings(nn.Module):
    def __init__(self, vocab_size, max_seq_len, embed_dim):
        super().__init__()
        self.wte = nn.Embedding(vocab_size, embed_dim)
        self.wpe = nn.Embedding(max_seq_len, embed_dim)
        nn.init.normal_(self.wte.weight, std=0.02)
        nn.init.normal_(self.wpe.weight, std=0.02)
        table = self.wte
        self.rows = lambda ids: table(ids)

    def forward(self, token_ids):
        positions = torch.arange(token_ids.shape[1], device=token_ids.device)
        return self.rows(token_ids) + self.wpe(positions)
