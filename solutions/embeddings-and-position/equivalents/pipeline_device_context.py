# input_pipeline: made inside a device context
# with torch.device(...) makes the encoding where the ids are, though its function says no
# device.
def embed_tokens(token_embedding, token_ids):
    with torch.device(token_ids.device):
        encoding = sinusoidal_positional_encoding(token_ids.size(-1), token_embedding.embedding_dim)
    return token_embedding(token_ids) + encoding.to(token_ids.device)


token_embedding = nn.Embedding(100, 64)
pe_matrix = sinusoidal_positional_encoding(128, 64)
token_ids = torch.tensor([23, 45, 12, 67, 89])
model_input = token_embedding(token_ids) + pe_matrix[:5]
pos_embedding = nn.Embedding(128, 64)
model_input_learned = token_embedding(token_ids) + pos_embedding(torch.arange(5))
