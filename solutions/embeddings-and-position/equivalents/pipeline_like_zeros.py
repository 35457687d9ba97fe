# input_pipeline: the sum is filled into zeros like the vectors
# zeros_like makes the result where the vectors are; each position is filled by a loop, and each
# row of the encoding crosses by assignment.
def embed_tokens(token_embedding, token_ids):
    vectors = token_embedding(token_ids)
    added = torch.zeros_like(vectors)
    for p, row in enumerate(sinusoidal_positional_encoding(*vectors.shape[-2:])):
        added[..., p, :] = row
    return vectors + added


token_embedding = nn.Embedding(100, 64)
pe_matrix = sinusoidal_positional_encoding(128, 64)
token_ids = torch.tensor([23, 45, 12, 67, 89])
model_input = token_embedding(token_ids) + pe_matrix[:5]
pos_embedding = nn.Embedding(128, 64)
model_input_learned = token_embedding(token_ids) + pos_embedding(torch.arange(5))
