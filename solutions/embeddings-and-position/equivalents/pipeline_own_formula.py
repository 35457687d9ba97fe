# input_pipeline: the formula is written out again
# embed_tokens does not call the function of exercise 5; the sum is made in place in a new
# tensor.
def embed_tokens(token_embedding, token_ids):
    vectors = token_embedding(token_ids).clone()
    length, width = token_ids.shape[-1], token_embedding.embedding_dim
    positions = torch.arange(length, device=vectors.device)[:, None]
    angle = positions / 10000 ** (torch.arange(0, width, 2, device=vectors.device) / width)
    vectors[..., 0::2] += torch.sin(angle)
    vectors[..., 1::2] += torch.cos(angle)[:, : width // 2]
    return vectors


token_embedding = nn.Embedding(100, 64)
pe_matrix = sinusoidal_positional_encoding(128, 64)
token_ids = torch.tensor([23, 45, 12, 67, 89])
model_input = token_embedding(token_ids) + pe_matrix[:5]
pos_embedding = nn.Embedding(128, 64)
model_input_learned = token_embedding(token_ids) + pos_embedding(torch.arange(5))
