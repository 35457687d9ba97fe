# GPT2Embeddings: a position parameter [1, max_seq_len, embed_dim]
# As minGPT keeps it: the leading axis of length 1 stands for the batch.
class GPT2Embeddings(nn.Module):
    def __init__(self, vocab_size, max_seq_len, embed_dim):
        super().__init__()
        self.tok_emb = nn.Embedding(vocab_size, embed_dim)
        self.pos_emb = nn.Parameter(torch.zeros(1, max_seq_len, embed_dim))
        self.tok_emb.weight.data.normal_(mean=0.0, std=0.02)
        self.pos_emb.data.normal_(mean=0.0, std=0.02)

    def forward(self, token_ids):
        return self.tok_emb(token_ids) + self.pos_emb[:, : token_ids.shape[1], :]
