# EmbeddingLayer: a plain attribute and keywords
# not with: turns_pair*, turns_stacked, turned_pair
# The table is in an attribute and is moved in forward; keywords in the calls.
class EmbeddingLayer(nn.Module):
    def __init__(self, vocab_size, n_embd, max_seq_len):
        super().__init__()
        self.embed = nn.Embedding(num_embeddings=vocab_size, embedding_dim=n_embd)
        self.embed.weight.data.normal_(0, 0.02)
        self.turns = precompute_freqs_cis(dim=n_embd, end=max_seq_len, theta=10000.0)

    def forward(self, token_ids):
        x = F.embedding(token_ids, self.embed.weight)
        x = x[:, :, None, :]
        turns = self.turns[0 : token_ids.shape[-1]].to(device=x.device)
        x = apply_rotary_emb(x, freqs_cis=turns)
        return x[:, :, 0]
