# input_pipeline: one-hot vectors times the table
# The lookup is a matrix product, and the 128 rows of the encoding are cut by narrow.
def embed_tokens(token_embedding, token_ids):
    table = token_embedding.weight
    vectors = F.one_hot(token_ids, table.shape[0]).to(table.dtype) @ table
    encoding = sinusoidal_positional_encoding(128, table.shape[1]).to(table.device)
    return vectors + encoding.narrow(0, 0, token_ids.shape[-1])


token_embedding = nn.Embedding(100, 64)
pe_matrix = sinusoidal_positional_encoding(128, 64)
token_ids = torch.tensor([23, 45, 12, 67, 89])
model_input = token_embedding(token_ids) + pe_matrix[:5]
pos_embedding = nn.Embedding(128, 64)
model_input_learned = token_embedding(token_ids) + pos_embedding(torch.arange(5))
