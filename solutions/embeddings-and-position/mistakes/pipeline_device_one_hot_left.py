# input_pipeline: one-hot vectors on the CPU
# You make the one-hot vectors from ids that you brought to the CPU, and the table is on the
# accelerator: a product needs both on one device. Leave the ids where they are.
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
