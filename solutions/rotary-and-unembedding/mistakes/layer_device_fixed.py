# EmbeddingLayer: the rotations are moved to a device of its own choice
# You put the rotations on the accelerator because the machine has one; the layer may be elsewhere.
# A layer has no device of its own: it is where `.to(device)` moved it. Use a buffer.
class EmbeddingLayer(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.table = nn.Embedding(vocab_size, n_embd)
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.freqs_cis = precompute_freqs_cis(n_embd, max_seq_len, 10000.0).to(device)

    def forward(self, token_ids):
        vectors = self.table(token_ids).unsqueeze(2)
        return apply_rotary_emb(vectors, self.freqs_cis[: vectors.shape[1]]).squeeze(2)
