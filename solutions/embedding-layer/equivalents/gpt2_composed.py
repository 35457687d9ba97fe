# GPT2Embeddings: made of the two classes from above
# TokenEmbedding and PositionalEmbedding in one module.
class GPT2Embeddings(nn.Module):
    def __init__(self, vocab_size, max_seq_len, embed_dim):
        super().__init__()
        self.max_seq_len = max_seq_len
        self.token_embedding = TokenEmbedding(vocab_size, embed_dim)
        self.position_embedding = PositionalEmbedding(max_seq_len, embed_dim)

    def forward(self, token_ids):
        return self.token_embedding(token_ids) + self.position_embedding(token_ids)
