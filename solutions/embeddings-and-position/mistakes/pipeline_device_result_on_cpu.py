# input_pipeline: the result is left on the CPU
# Your sums are on the CPU, wherever the table is. There is no error when numbers are copied there,
# by .cpu() or by assigning to zeros on the CPU. Add on the device of the table, and leave the
# result there.
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
