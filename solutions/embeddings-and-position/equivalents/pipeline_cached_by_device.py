# input_pipeline: a table is kept for each size and device
# Encodings are kept in a dictionary; the device is part of the key.
encodings = {}


def embed_tokens(token_embedding, token_ids):
    device = next(token_embedding.parameters()).device
    key = (token_ids.size(-1), token_embedding.embedding_dim, device)
    if key not in encodings:
        encodings[key] = sinusoidal_positional_encoding(*key[:2]).to(device)
    return token_embedding(token_ids) + encodings[key]


token_embedding = nn.Embedding(100, 64)
pe_matrix = sinusoidal_positional_encoding(128, 64)
token_ids = torch.tensor([23, 45, 12, 67, 89])
model_input = token_embedding(token_ids) + pe_matrix[:5]
pos_embedding = nn.Embedding(128, 64)
model_input_learned = token_embedding(token_ids) + pos_embedding(torch.arange(5))
