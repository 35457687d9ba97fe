# input_pipeline: a cached table stays where it was created
# You create a table once and keep it, and it stays on the device on which it was created. Move it
# to the device of the token vectors each time, or keep one for each device.
encodings = {}


def embed_tokens(token_embedding, token_ids):
    vectors = token_embedding(token_ids)
    size = vectors.shape[-2:]
    if size not in encodings:
        encodings[size] = sinusoidal_positional_encoding(*size).to(vectors.device)
    return vectors + encodings[size]


token_embedding = nn.Embedding(100, 64)
pe_matrix = sinusoidal_positional_encoding(128, 64)
token_ids = torch.tensor([23, 45, 12, 67, 89])
model_input = token_embedding(token_ids) + pe_matrix[:5]
pos_embedding = nn.Embedding(128, 64)
model_input_learned = token_embedding(token_ids) + pos_embedding(torch.arange(5))
