# input_pipeline: positions and encoding on two devices
# You look up the encoding, but its table and the positions are on different devices: torch.arange
# and your encoding function create tensors on the CPU. Move both to the device of the token
# vectors.
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
