# GPT2Embeddings: position ids are a plain attribute
# You keep the position ids in a plain attribute, which `.to(device)` leaves on the CPU. Register
# them as a buffer, or create them in forward with `device=token_ids.device`.
class GPT2Embeddings(nn.Module):
    def __init__(self, vocab_size, max_seq_len, embed_dim):
        super().__init__()
        self.wte = nn.Embedding(vocab_size, embed_dim)
        self.wpe = nn.Embedding(max_seq_len, embed_dim)
        nn.init.normal_(self.wte.weight, std=0.02)
        nn.init.normal_(self.wpe.weight, std=0.02)
        self.positions = torch.arange(max_seq_len)

    def forward(self, token_ids):
        return self.wte(token_ids) + self.wpe(self.positions[: token_ids.shape[1]])
