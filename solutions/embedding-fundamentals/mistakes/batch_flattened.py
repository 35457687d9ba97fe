# batch_embedding: the batch is flattened
# You flattened the ids, so the batch becomes one long list of vectors. Ids of shape [B, T] give [B,
# T, D].
batch_embedding = nn.Embedding(20, 8)
batch_ids = torch.tensor([[3, 1, 4, 1, 5], [9, 2, 6, 5, 3], [5, 8, 9, 7, 19]])
batch_vectors = batch_embedding(batch_ids.reshape(-1))
