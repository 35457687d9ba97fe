# input_pipeline: uses token ids as positions
# You looked up the positions with the token ids. A position is where the token is, 0, 1, 2, ...,
# whatever the token is.
def embed_tokens(token_embedding, token_ids):
    vectors = token_embedding(token_ids)
    encoding = sinusoidal_positional_encoding(token_embedding.num_embeddings, vectors.shape[-1])
    return vectors + encoding.to(vectors.device)[token_ids]


token_embedding = nn.Embedding(100, 64)
pe_matrix = sinusoidal_positional_encoding(128, 64)
token_ids = torch.tensor([23, 45, 12, 67, 89])
model_input = token_embedding(token_ids) + pe_matrix[token_ids]
pos_embedding = nn.Embedding(128, 64)
model_input_learned = token_embedding(token_ids) + pos_embedding(token_ids)
