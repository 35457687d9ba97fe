# input_pipeline: one-hot vectors on the CPU
# Your one-hot vectors are on the CPU when the table is on an accelerator, and a product needs both
# on one device. Create them on the device of the table.
def embed_tokens(token_embedding, token_ids):
    table = token_embedding.weight
    vectors = F.one_hot(token_ids.cpu(), table.shape[0]).to(table.dtype) @ table
    encoding = sinusoidal_positional_encoding(token_ids.shape[-1], table.shape[1])
    return vectors + encoding.to(vectors.device)


token_embedding = nn.Embedding(100, 64)
pe_matrix = sinusoidal_positional_encoding(128, 64)
token_ids = torch.tensor([23, 45, 12, 67, 89])
model_input = token_embedding(token_ids) + pe_matrix[:5]
pos_embedding = nn.Embedding(128, 64)
model_input_learned = token_embedding(token_ids) + pos_embedding(torch.arange(5))
