# input_pipeline: works for one sequence only
# Your function takes its length from the first axis of the ids, which is the batch if there is one.
# T is the last axis, whatever comes before it.
def embed_tokens(token_embedding, token_ids):
    length = len(token_ids)
    encoding = sinusoidal_positional_encoding(length, token_embedding.embedding_dim)
    return token_embedding(token_ids) + encoding.to(token_ids.device)


token_embedding = nn.Embedding(100, 64)
pe_matrix = sinusoidal_positional_encoding(128, 64)
token_ids = torch.tensor([23, 45, 12, 67, 89])
model_input = token_embedding(token_ids) + pe_matrix[:5]
pos_embedding = nn.Embedding(128, 64)
model_input_learned = token_embedding(token_ids) + pos_embedding(torch.arange(5))
