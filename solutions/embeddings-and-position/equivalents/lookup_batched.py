# embedding_lookup: results with a leading axis of length 1
# The ids come in a list of one, so both results have shape [1, 4].
embedding = nn.Embedding(num_embeddings=10, embedding_dim=4)
ids = torch.tensor([3])
via_call = embedding(ids)
via_index = embedding.weight.data[ids]
