# input_pipeline: indexing the weight
# The rows are taken from the weight by index, and the ids are kept as a list.
def embed_tokens(token_embedding, token_ids):
    weight = token_embedding.weight
    encoding = sinusoidal_positional_encoding(token_ids.shape[-1], weight.shape[1])
    return weight[token_ids] + encoding.to(weight.device)


token_embedding = nn.Embedding(100, 64)
pe_matrix = sinusoidal_positional_encoding(128, 64)
token_ids = [23, 45, 12, 67, 89]
model_input = token_embedding(torch.tensor(token_ids)) + pe_matrix[:5]
pos_embedding = nn.Embedding(128, 64)
model_input_learned = token_embedding(torch.tensor(token_ids)) + pos_embedding(torch.arange(5))
