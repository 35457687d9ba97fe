# GPT2Embeddings: concatenates instead of adding
# You appended the position to the token vector, so the result is twice as wide. GPT-2 adds them,
# and the width stays D.
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
        return torch.cat([vectors, self.wpe(positions).expand_as(vectors)], dim=-1)
