# GPT2Embeddings: an empty result that is filled place by place
# `empty` gets the device of the ids; each entry is computed in a loop.
class GPT2Embeddings(nn.Module):
    def __init__(self, vocab_size, max_seq_len, embed_dim):
        super().__init__()
        self.embed_dim = embed_dim
        self.tokens = nn.Parameter(torch.normal(0, 0.02, (vocab_size, embed_dim)))
        self.positions = nn.Parameter(torch.normal(0, 0.02, (max_seq_len, embed_dim)))

    def forward(self, token_ids):
        result = torch.empty(*token_ids.shape, self.embed_dim, device=token_ids.device)
        for b in range(token_ids.shape[0]):
            for t in range(token_ids.shape[1]):
                result[b, t] = self.tokens[token_ids[b, t]] + self.positions[t]
        return result
