# input_pipeline: the encoding is forgotten in the function
# Your function returns only the token vectors. Add the encoding of the positions 0 to T-1.
def embed_tokens(token_embedding, token_ids):
    return token_embedding(token_ids)


token_embedding = nn.Embedding(100, 64)
pe_matrix = sinusoidal_positional_encoding(128, 64)
token_ids = torch.tensor([23, 45, 12, 67, 89])
model_input = token_embedding(token_ids) + pe_matrix[:5]
pos_embedding = nn.Embedding(128, 64)
model_input_learned = token_embedding(token_ids) + pos_embedding(torch.arange(5))
