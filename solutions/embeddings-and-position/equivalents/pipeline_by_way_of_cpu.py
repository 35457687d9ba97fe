# input_pipeline: all is computed on the CPU and taken back
# Table and ids are moved to the CPU, and the sum goes back to where they were; gradients
# travel along.
def embed_tokens(token_embedding, token_ids):
    weight = token_embedding.weight
    vectors = weight.cpu()[token_ids.cpu()]
    return (vectors + sinusoidal_positional_encoding(*vectors.shape[-2:])).to(weight.device)


token_embedding = nn.Embedding(100, 64)
pe_matrix = sinusoidal_positional_encoding(128, 64)
token_ids = torch.tensor([23, 45, 12, 67, 89])
model_input = token_embedding(token_ids) + pe_matrix[:5]
pos_embedding = nn.Embedding(128, 64)
model_input_learned = token_embedding(token_ids) + pos_embedding(torch.arange(5))
