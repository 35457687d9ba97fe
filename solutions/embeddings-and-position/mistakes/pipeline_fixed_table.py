# input_pipeline: always uses the 128 x 64 table
# Your function adds rows of the notebook's own table, which is 64 wide, so it fails for any other
# width. Take D from the embedding that is passed.
def embed_tokens(token_embedding, token_ids):
    return token_embedding(token_ids) + pe_matrix[: token_ids.shape[-1]].to(token_ids.device)


token_embedding = nn.Embedding(100, 64)
pe_matrix = sinusoidal_positional_encoding(128, 64)
token_ids = torch.tensor([23, 45, 12, 67, 89])
model_input = token_embedding(token_ids) + pe_matrix[:5]
pos_embedding = nn.Embedding(128, 64)
model_input_learned = token_embedding(token_ids) + pos_embedding(torch.arange(5))
