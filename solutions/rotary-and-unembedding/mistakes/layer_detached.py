# EmbeddingLayer: no gradient for the table
# Your numbers are right, but no gradient reaches the table, so it can never learn. Leave out
# detach, .data and torch.no_grad.
class EmbeddingLayer(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.table = nn.Embedding(vocab_size, n_embd)

    def forward(self, token_ids):
        vectors = self.table(token_ids).detach().unsqueeze(2)
        freqs_cis = precompute_freqs_cis(vectors.shape[3], vectors.shape[1], 10000.0)
        return apply_rotary_emb(vectors, freqs_cis.to(vectors.device)).squeeze(2)
