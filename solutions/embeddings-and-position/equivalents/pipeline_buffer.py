# input_pipeline: a module with a buffer does the work
# A small module holds the table and registers the encoding as a buffer that is not saved; it is
# moved as a whole.
class Sum(nn.Module):
    def __init__(self, table, length):
        super().__init__()
        self.table = table
        encoding = sinusoidal_positional_encoding(length, table.embedding_dim)
        self.register_buffer("encoding", encoding, persistent=False)

    def forward(self, ids):
        return self.table(ids) + self.encoding


def embed_tokens(token_embedding, token_ids):
    return Sum(token_embedding, token_ids.shape[-1]).to(token_ids.device)(token_ids)


token_embedding = nn.Embedding(100, 64)
pe_matrix = sinusoidal_positional_encoding(128, 64)
token_ids = torch.tensor([23, 45, 12, 67, 89])
model_input = token_embedding(token_ids) + pe_matrix[:5]
pos_embedding = nn.Embedding(128, 64)
model_input_learned = token_embedding(token_ids) + pos_embedding(torch.arange(5))
