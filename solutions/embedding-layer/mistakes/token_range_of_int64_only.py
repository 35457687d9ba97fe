# TokenEmbedding: the range of int32 ids is not looked at
# You look at the range of int64 ids alone. Ids of 32 bits are just as welcome, and can be just as
# wrong.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, embed_dim):
        super().__init__()
        self.table = nn.Embedding(vocab_size, embed_dim)
        nn.init.normal_(self.table.weight, std=0.02)

    def forward(self, token_ids):
        if token_ids.dtype == torch.int64:
            if token_ids.min() < 0 or token_ids.max() >= self.table.num_embeddings:
                raise ValueError("no such id")
        elif token_ids.dtype != torch.int32:
            raise ValueError("ids must be integers")
        return self.table(token_ids)
