# GPT2Embeddings: weights indexed, positions counted on the CPU
# Positions on the CPU may index a weight anywhere; einsum adds the batch axis.
class GPT2Embeddings(nn.Module):
    def __init__(self, vocab_size, max_seq_len, embed_dim):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(vocab_size, embed_dim), nn.Embedding(max_seq_len, embed_dim)
        for layer in self.children():
            nn.init.normal_(layer.weight, 0.0, 0.02)

    def forward(self, token_ids):
        batch, length = token_ids.shape
        positions = self.wpe.weight[torch.arange(length)]
        return self.wte.weight[token_ids] + torch.einsum("td->td", positions).repeat(batch, 1, 1)
