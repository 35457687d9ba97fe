# input_pipeline: the encoding is not sliced to the length
# Your encoding has 128 rows and the sentence has five tokens, so they cannot be added. Take as many
# rows as there are positions.
def embed_tokens(token_embedding, token_ids):
    vectors = token_embedding(token_ids)
    return vectors + sinusoidal_positional_encoding(128, vectors.shape[-1]).to(vectors.device)


token_embedding = nn.Embedding(100, 64)
pe_matrix = sinusoidal_positional_encoding(128, 64)
token_ids = torch.tensor([23, 45, 12, 67, 89])
pos_embedding = nn.Embedding(128, 64)
model_input_learned = token_embedding(token_ids) + pos_embedding(torch.arange(5))
model_input = token_embedding(token_ids) + pe_matrix
