# batch_embedding: sequence and batch are swapped
# Your vectors have the shape [T, B, D]. The axes keep the order of the ids: [B, T, D].
batch_embedding = nn.Embedding(20, 8)
batch_ids = torch.tensor([[3, 1, 4, 1, 5], [9, 2, 6, 5, 3], [5, 8, 9, 7, 19]])
batch_vectors = batch_embedding(batch_ids.T)
