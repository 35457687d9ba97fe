# GPT2Embeddings: position ids in a buffer that is saved
# As older versions of a well-known library keep them: they are part of the state dict.
class GPT2Embeddings(nn.Module):
    def __init__(self, vocab_size, max_seq_len, embed_dim):
        super().__init__()
        self.wte = nn.Embedding(vocab_size, embed_dim)
        self.wpe = nn.Embedding(max_seq_len, embed_dim)
        self.wte.weight.data.normal_(std=0.02)
        self.wpe.weight.data.normal_(std=0.02)
        self.register_buffer("position_ids", torch.arange(max_seq_len).unsqueeze(0))

    def forward(self, token_ids):
        return self.wte(token_ids) + self.wpe(self.position_ids[:, : token_ids.shape[1]])
