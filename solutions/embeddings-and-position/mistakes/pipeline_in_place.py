# input_pipeline: writes the sum into the table
# Your sums are written into the table itself, so every call permanently changes the token vectors.
# Create a new tensor for the sum.
def embed_tokens(token_embedding, token_ids):
    length, width = token_ids.shape[-1], token_embedding.embedding_dim
    encoding = sinusoidal_positional_encoding(length, width).to(token_embedding.weight.device)
    rows = token_embedding.weight.data[token_ids] + encoding
    token_embedding.weight.data[token_ids] = rows
    return token_embedding(token_ids) - token_embedding(token_ids).detach() + rows


token_embedding = nn.Embedding(100, 64)
pe_matrix = sinusoidal_positional_encoding(128, 64)
token_ids = torch.tensor([23, 45, 12, 67, 89])
model_input = token_embedding(token_ids) + pe_matrix[:5]
pos_embedding = nn.Embedding(128, 64)
model_input_learned = token_embedding(token_ids) + pos_embedding(torch.arange(5))
