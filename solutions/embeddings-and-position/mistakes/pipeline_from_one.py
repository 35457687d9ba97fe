# input_pipeline: positions from 1
# Your first token gets row 1 of the encoding. Positions are counted from 0, so T tokens use rows 0
# to T-1.
def embed_tokens(token_embedding, token_ids):
    vectors = token_embedding(token_ids)
    length, width = vectors.shape[-2:]
    return vectors + sinusoidal_positional_encoding(length + 1, width)[1:].to(vectors.device)


token_embedding = nn.Embedding(100, 64)
pe_matrix = sinusoidal_positional_encoding(128, 64)
token_ids = torch.tensor([23, 45, 12, 67, 89])
model_input = token_embedding(token_ids) + pe_matrix[1:6]
pos_embedding = nn.Embedding(128, 64)
model_input_learned = token_embedding(token_ids) + pos_embedding(torch.arange(1, 6))
