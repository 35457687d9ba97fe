# GPT2Embeddings: the result is on the CPU
# Your result is on the CPU wherever the module is: you filled a tensor that was created without
# `device=`, or moved the result there. It should be where the token ids are.
class GPT2Embeddings(nn.Module):
    def __init__(self, vocab_size, max_seq_len, embed_dim):
        super().__init__()
        self.wte = nn.Embedding(vocab_size, embed_dim)
        self.wpe = nn.Embedding(max_seq_len, embed_dim)
        nn.init.normal_(self.wte.weight, std=0.02)
        nn.init.normal_(self.wpe.weight, std=0.02)

    def forward(self, token_ids):
        positions = torch.arange(token_ids.shape[1], device=token_ids.device)
        result = torch.zeros(*token_ids.shape, self.wte.embedding_dim)
        for b, ids in enumerate(token_ids):
            result[b] = self.wte(ids) + self.wpe(positions)
        return result
