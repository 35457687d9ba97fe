# TokenEmbedding: the ids are checked in a hook
# A hook looks at the ids before forward does, on whatever device they are.
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, embed_dim):
        super().__init__()
        self.rows = nn.Embedding(vocab_size, embed_dim)
        nn.init.normal_(self.rows.weight, std=0.02)
        self.register_forward_pre_hook(self.refuse_wrong_ids)

    @staticmethod
    def refuse_wrong_ids(module, inputs):
        (ids,) = inputs
        if ids.is_floating_point():
            raise ValueError("ids must be integers")
        if int(ids.min()) < 0 or int(ids.max()) >= module.rows.num_embeddings:
            raise ValueError("an id has no row")

    def forward(self, ids):
        return self.rows(ids)
