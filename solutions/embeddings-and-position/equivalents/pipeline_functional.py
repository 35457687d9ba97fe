# input_pipeline: F.embedding and broadcasting by hand
# The lookup is F.embedding, and the encoding is expanded to the batch. The ids have a batch
# axis of length 1.
def embed_tokens(token_embedding, token_ids):
    vectors = F.embedding(token_ids, token_embedding.weight)
    length, width = vectors.size(-2), vectors.size(-1)
    encoding = sinusoidal_positional_encoding(length, width).to(vectors)
    return torch.add(vectors, encoding.expand_as(vectors))


token_embedding = nn.Embedding(100, 64)
pe_matrix = sinusoidal_positional_encoding(128, 64)
token_ids = torch.tensor([[23, 45, 12, 67, 89]])
model_input = token_embedding(token_ids) + pe_matrix[None, :5]
pos_embedding = nn.Embedding(128, 64)
model_input_learned = token_embedding(token_ids) + pos_embedding.weight[:5]
