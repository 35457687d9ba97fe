# input_pipeline: multiplies the token vectors by sqrt(D)
# You multiplied the token vectors by the square root of D, as the 2017 paper does. In this
# assignment they are added as they are.
def embed_tokens(token_embedding, token_ids):
    vectors = token_embedding(token_ids) * math.sqrt(token_embedding.embedding_dim)
    encoding = sinusoidal_positional_encoding(vectors.shape[-2], vectors.shape[-1])
    return vectors + encoding.to(vectors.device)


token_embedding = nn.Embedding(100, 64)
pe_matrix = sinusoidal_positional_encoding(128, 64)
token_ids = torch.tensor([23, 45, 12, 67, 89])
model_input = token_embedding(token_ids) * math.sqrt(64) + pe_matrix[:5]
pos_embedding = nn.Embedding(128, 64)
model_input_learned = token_embedding(token_ids) * math.sqrt(64) + pos_embedding(torch.arange(5))
