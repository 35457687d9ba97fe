# EmbeddingLayer: only the lookup
# Your layer looks up the rows and leaves them as they are. The same token gets the same vector at
# every position; rotate them.
class EmbeddingLayer(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.table = nn.Embedding(vocab_size, n_embd)

    def forward(self, token_ids):
        return self.table(token_ids)
