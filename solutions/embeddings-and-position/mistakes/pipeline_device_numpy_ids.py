# input_pipeline: ids on an accelerator become a NumPy array
# You turn the ids into a NumPy array, but NumPy cannot read memory of an accelerator. Look up the
# vectors with the tensor of ids as it is.
def embed_tokens(token_embedding, token_ids):
    length, width = token_ids.shape[-1], token_embedding.embedding_dim
    rows = [token_embedding.weight[i] for i in token_ids.numpy().reshape(-1)]
    vectors = torch.stack(rows).reshape(*token_ids.shape, width)
    encoding = sinusoidal_positional_encoding(length, width)
    return vectors + encoding.to(vectors.device)


token_embedding = nn.Embedding(100, 64)
pe_matrix = sinusoidal_positional_encoding(128, 64)
token_ids = torch.tensor([23, 45, 12, 67, 89])
model_input = token_embedding(token_ids) + pe_matrix[:5]
pos_embedding = nn.Embedding(128, 64)
model_input_learned = token_embedding(token_ids) + pos_embedding(torch.arange(5))
