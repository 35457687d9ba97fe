# PositionalEmbedding: a list of positions, made like the ids
# `new_tensor` gives the list the type and the device of the ids.
class PositionalEmbedding(nn.Module):
    def __init__(self, max_seq_len, embed_dim):
        super().__init__()
        self.max_seq_len = max_seq_len
        self.embedding = nn.Embedding(max_seq_len, embed_dim)
        nn.init.normal_(self.embedding.weight, mean=0.0, std=0.02)

    def forward(self, token_ids):
        length = len(token_ids[0])
        if length > self.max_seq_len:
            raise ValueError(f"at most {self.max_seq_len} tokens, not {length}")
        return self.embedding(token_ids.new_tensor(list(range(length)))).unsqueeze(0)
