# input_pipeline: the encoding as a frozen embedding
# The encoding becomes a second nn.Embedding that takes no gradient; its position ids are made
# by cumsum on the device of the ids.
def embed_tokens(token_embedding, token_ids):
    table = sinusoidal_positional_encoding(token_ids.shape[-1], token_embedding.embedding_dim)
    places = nn.Embedding.from_pretrained(table, freeze=True).to(token_embedding.weight.device)
    positions = torch.ones_like(token_ids).cumsum(-1) - 1
    return token_embedding(token_ids) + places(positions)


token_embedding = nn.Embedding(100, 64)
pe_matrix = sinusoidal_positional_encoding(128, 64)
token_ids = torch.tensor([23, 45, 12, 67, 89])
model_input = token_embedding(token_ids) + pe_matrix[:5]
pos_embedding = nn.Embedding(128, 64)
model_input_learned = token_embedding(token_ids) + pos_embedding(torch.arange(5))
