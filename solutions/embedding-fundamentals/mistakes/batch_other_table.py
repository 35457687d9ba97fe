# batch_embedding: vectors of another table
# Your vectors come from a second table, with other random numbers. Look the ids up in
# `batch_embedding` itself.
batch_embedding = nn.Embedding(20, 8)
batch_ids = torch.tensor([[3, 1, 4, 1, 5], [9, 2, 6, 5, 3], [5, 8, 9, 7, 19]])
batch_vectors = nn.Embedding(20, 8)(batch_ids)
