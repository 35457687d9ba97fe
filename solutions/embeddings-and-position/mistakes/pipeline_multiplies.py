# input_pipeline: multiplies token and position
# You multiplied the two vectors. Where a sine is zero, this erases the token; add them.
def embed_tokens(token_embedding, token_ids):
    vectors = token_embedding(token_ids)
    encoding = sinusoidal_positional_encoding(vectors.shape[-2], vectors.shape[-1])
    return vectors * encoding.to(vectors.device)


token_embedding = nn.Embedding(100, 64)
pe_matrix = sinusoidal_positional_encoding(128, 64)
token_ids = torch.tensor([23, 45, 12, 67, 89])
model_input = token_embedding(token_ids) * pe_matrix[:5]
pos_embedding = nn.Embedding(128, 64)
model_input_learned = token_embedding(token_ids) * pos_embedding(torch.arange(5))
