# input_pipeline: the encoding stays on the CPU
# Your encoding is a new table on the CPU. It cannot be added to token vectors on an accelerator:
# move it to their device first.
def embed_tokens(token_embedding, token_ids):
    vectors = token_embedding(token_ids)
    encoding = sinusoidal_positional_encoding(vectors.shape[-2], vectors.shape[-1])
    return vectors + encoding


token_embedding = nn.Embedding(100, 64)
pe_matrix = sinusoidal_positional_encoding(128, 64)
token_ids = torch.tensor([23, 45, 12, 67, 89])
model_input = token_embedding(token_ids) + pe_matrix[:5]
pos_embedding = nn.Embedding(128, 64)
model_input_learned = token_embedding(token_ids) + pos_embedding(torch.arange(5))
