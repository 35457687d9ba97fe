# input_pipeline: the result is made on the CPU
# You write the sums into a tensor of zeros that lies on the CPU. Nothing complains, because
# assigning copies from one device to another, but the result is left there: make it where the
# table is.
def embed_tokens(token_embedding, token_ids):
    length, width = token_ids.shape[-1], token_embedding.embedding_dim
    encoding = sinusoidal_positional_encoding(length, width)
    result = torch.zeros(*token_ids.shape, width)
    for p in range(length):
        result[..., p, :] = token_embedding(token_ids[..., p]).cpu() + encoding[p]
    return result


token_embedding = nn.Embedding(100, 64)
pe_matrix = sinusoidal_positional_encoding(128, 64)
token_ids = torch.tensor([23, 45, 12, 67, 89])
model_input = token_embedding(token_ids) + pe_matrix[:5]
pos_embedding = nn.Embedding(128, 64)
model_input_learned = token_embedding(token_ids) + pos_embedding(torch.arange(5))
