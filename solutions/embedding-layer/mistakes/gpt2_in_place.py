# GPT2Embeddings: adds into the table
# You add the positions into the token table in place, so each call changes the table. Create a new
# tensor for the sum.
class GPT2Embeddings(nn.Module):
    def __init__(self, vocab_size, max_seq_len, embed_dim):
        super().__init__()
        self.wte = nn.Embedding(vocab_size, embed_dim)
        self.wpe = nn.Embedding(max_seq_len, embed_dim)
        nn.init.normal_(self.wte.weight, std=0.02)
        nn.init.normal_(self.wpe.weight, std=0.02)

    def forward(self, token_ids):
        positions = torch.arange(token_ids.shape[1], device=token_ids.device)
        vectors = self.wte(token_ids)
        rows = self.wpe(positions)
        with torch.no_grad():
            self.wte.weight[token_ids[0]] += rows
        return vectors + rows
