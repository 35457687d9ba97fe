# input_pipeline: the device is chosen by what the machine has
# You move the encoding to an accelerator if the machine has one, even if the table is on the CPU.
# Use the device of the token vectors, not what the machine has.
def embed_tokens(token_embedding, token_ids):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    vectors = token_embedding(token_ids)
    encoding = sinusoidal_positional_encoding(vectors.shape[-2], vectors.shape[-1])
    return vectors + encoding.to(device)


token_embedding = nn.Embedding(100, 64)
pe_matrix = sinusoidal_positional_encoding(128, 64)
token_ids = torch.tensor([23, 45, 12, 67, 89])
model_input = token_embedding(token_ids) + pe_matrix[:5]
pos_embedding = nn.Embedding(128, 64)
model_input_learned = token_embedding(token_ids) + pos_embedding(torch.arange(5))
