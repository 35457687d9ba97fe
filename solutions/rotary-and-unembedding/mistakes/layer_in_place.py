# EmbeddingLayer: the table itself is rotated
# You wrote the rotated rows back into the table, so each call rotates them further. The rotated
# rows should be a new tensor; the table stays as it is.
class EmbeddingLayer(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.table = nn.Embedding(vocab_size, n_embd)

    def forward(self, token_ids):
        vectors = self.table(token_ids).unsqueeze(2)
        freqs_cis = precompute_freqs_cis(vectors.shape[3], vectors.shape[1], 10000.0)
        turned = apply_rotary_emb(vectors, freqs_cis.to(vectors.device)).squeeze(2)
        self.table.weight.data[token_ids] = turned.detach()
        return turned
