# GPT2Embeddings: two products of one-hot vectors
# Both lookups as products, in a dictionary of modules; the sum is taken with torch.add.
class GPT2Embeddings(nn.Module):
    def __init__(self, vocab_size, max_seq_len, embed_dim):
        super().__init__()
        self.tables = nn.ModuleDict({
            "wpe": nn.Embedding(max_seq_len, embed_dim),
            "wte": nn.Embedding(vocab_size, embed_dim),
        })
        for table in self.tables.values():
            nn.init.normal_(table.weight, 0, 0.02)

    def forward(self, token_ids):
        wte, wpe = self.tables["wte"].weight, self.tables["wpe"].weight
        tokens = F.one_hot(token_ids, len(wte)).float() @ wte
        places = torch.arange(token_ids.shape[1]).to(token_ids).expand_as(token_ids)
        return torch.add(tokens, F.one_hot(places, len(wpe)).float() @ wpe)
