# GPT2Embeddings: two parameters
# Indexing and slicing of two nn.Parameters.
class GPT2Embeddings(nn.Module):
    def __init__(self, vocab_size, max_seq_len, embed_dim):
        super().__init__()
        self.tokens = nn.Parameter(torch.randn(vocab_size, embed_dim) * 0.02)
        self.positions = nn.Parameter(torch.randn(max_seq_len, embed_dim) * 0.02)
        self.max_seq_len = max_seq_len

    def forward(self, token_ids):
        T = token_ids.shape[-1]
        if T > self.max_seq_len:
            raise ValueError("too long")
        return self.tokens[token_ids] + self.positions[:T]
