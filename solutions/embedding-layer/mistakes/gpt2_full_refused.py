# GPT2Embeddings: the full length is refused
# You refuse a sequence of exactly max_seq_len tokens, though the position table has a row for
# each of them. Only longer ones are too long.
class GPT2Embeddings(nn.Module):
    def __init__(self, vocab_size, max_seq_len, embed_dim):
        super().__init__()
        self.wte = nn.Embedding(vocab_size, embed_dim)
        self.wpe = nn.Embedding(max_seq_len, embed_dim)
        nn.init.normal_(self.wte.weight, std=0.02)
        nn.init.normal_(self.wpe.weight, std=0.02)

    def forward(self, token_ids):
        positions = torch.arange(token_ids.shape[1], device=token_ids.device)
        if token_ids.shape[1] >= self.wpe.num_embeddings:
            raise ValueError("sequence too long")
        return self.wte(token_ids) + self.wpe(positions)
