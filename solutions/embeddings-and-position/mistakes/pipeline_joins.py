# input_pipeline: concatenates token and position
# You concatenated the two vectors, so the result is twice as wide. They are added element by
# element, and the width stays D.
def embed_tokens(token_embedding, token_ids):
    vectors = token_embedding(token_ids)
    encoding = sinusoidal_positional_encoding(vectors.shape[-2], vectors.shape[-1])
    return torch.cat([vectors, encoding.expand_as(vectors).to(vectors.device)], dim=-1)


token_embedding = nn.Embedding(100, 64)
pe_matrix = sinusoidal_positional_encoding(128, 64)
token_ids = torch.tensor([23, 45, 12, 67, 89])
model_input = torch.cat([token_embedding(token_ids), pe_matrix[:5]], dim=-1)
pos_embedding = nn.Embedding(128, 64)
model_input_learned = torch.cat([token_embedding(token_ids), pos_embedding(torch.arange(5))], dim=-1)
