# EmbeddingLayer: adds the encoding
# You added the cosines and sines to the vectors, as the sinusoidal encoding does. A rotary encoding
# rotates the vectors instead.
class EmbeddingLayer(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.table = nn.Embedding(vocab_size, n_embd)

    def forward(self, token_ids):
        vectors = self.table(token_ids).unsqueeze(2)
        freqs_cis = precompute_freqs_cis(vectors.shape[3], vectors.shape[1], 10000.0)
        turns = torch.view_as_real(freqs_cis.to(vectors.device)).flatten(1)
        return self.table(token_ids) + turns
