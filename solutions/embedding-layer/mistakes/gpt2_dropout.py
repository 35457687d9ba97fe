# GPT2Embeddings: dropout on the sum
# Your sum goes through dropout, so some numbers are zero and the others are too large. The real
# GPT-2 does this in training; here the result is only the sum.
class GPT2Embeddings(nn.Module):
    def __init__(self, vocab_size, max_seq_len, embed_dim):
        super().__init__()
        self.wte = nn.Embedding(vocab_size, embed_dim)
        self.wpe = nn.Embedding(max_seq_len, embed_dim)
        nn.init.normal_(self.wte.weight, std=0.02)
        nn.init.normal_(self.wpe.weight, std=0.02)
        self.drop = nn.Dropout(0.1)

    def forward(self, token_ids):
        positions = torch.arange(token_ids.shape[1], device=token_ids.device)
        return self.drop(self.wte(token_ids) + self.wpe(positions))
