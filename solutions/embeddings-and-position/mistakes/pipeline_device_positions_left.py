# input_pipeline: position ids on the CPU
# You look the encoding up with positions that torch.arange makes on the CPU, and the table that
# they look into is on the accelerator. Make them on the device of the ids.
def embed_tokens(token_embedding, token_ids):
    vectors = token_embedding(token_ids)
    length, width = vectors.shape[-2:]
    encoding = sinusoidal_positional_encoding(length, width).to(vectors.device)
    positions = torch.arange(length)
    return vectors + F.embedding(positions, encoding)


token_embedding = nn.Embedding(100, 64)
pe_matrix = sinusoidal_positional_encoding(128, 64)
token_ids = torch.tensor([23, 45, 12, 67, 89])
model_input = token_embedding(token_ids) + pe_matrix[:5]
pos_embedding = nn.Embedding(128, 64)
model_input_learned = token_embedding(token_ids) + pos_embedding(torch.arange(5))
