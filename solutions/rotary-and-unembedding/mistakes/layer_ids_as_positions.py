# EmbeddingLayer: rotated by the id
# You rotated each vector by its token's id. The angle depends on where the token is, not on which
# token it is.
class EmbeddingLayer(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.table = nn.Embedding(vocab_size, n_embd)

    def forward(self, token_ids):
        vectors = self.table(token_ids).unsqueeze(2)
        turns = precompute_freqs_cis(vectors.shape[3], self.table.num_embeddings, 10000.0)
        turns = turns.to(vectors.device)
        rows = [apply_rotary_emb(v[None], turns[i]) for v, i in zip(vectors, token_ids)]
        return torch.cat(rows).squeeze(2)
