# input_pipeline: adds one row to every position
# You added the same row at every position, so the order still makes no difference. Position p gets
# row p.
def embed_tokens(token_embedding, token_ids):
    vectors = token_embedding(token_ids)
    length, width = vectors.shape[-2:]
    return vectors + sinusoidal_positional_encoding(length, width)[length - 1].to(vectors.device)


token_embedding = nn.Embedding(100, 64)
pe_matrix = sinusoidal_positional_encoding(128, 64)
token_ids = torch.tensor([23, 45, 12, 67, 89])
model_input = token_embedding(token_ids) + pe_matrix[5]
pos_embedding = nn.Embedding(128, 64)
model_input_learned = token_embedding(token_ids) + pos_embedding(torch.tensor(5))
