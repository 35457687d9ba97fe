# GPT2Embeddings: the position rows are moved to the CPU
# Your position rows are on the CPU, and the token rows are where the module is. Leave both where
# they are looked up; rows that you fill yourself need `device=token_ids.device`.
class GPT2Embeddings(nn.Module):
    def __init__(self, vocab_size, max_seq_len, embed_dim):
        super().__init__()
        self.wte = nn.Embedding(vocab_size, embed_dim)
        self.wpe = nn.Embedding(max_seq_len, embed_dim)
        nn.init.normal_(self.wte.weight, std=0.02)
        nn.init.normal_(self.wpe.weight, std=0.02)

    def forward(self, token_ids):
        rows = torch.zeros(token_ids.shape[1], self.wpe.embedding_dim)
        for position in range(token_ids.shape[1]):
            rows[position] = self.wpe.weight[position]
        return self.wte(token_ids) + rows
