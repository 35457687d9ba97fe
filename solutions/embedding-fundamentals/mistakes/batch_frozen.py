# batch_embedding: the table is frozen
# Your table does not learn: from_pretrained freezes it. Use an nn.Embedding and leave it as it is.
batch_embedding = nn.Embedding.from_pretrained(torch.randn(20, 8))
batch_ids = torch.tensor([[3, 1, 4, 1, 5], [9, 2, 6, 5, 3], [5, 8, 9, 7, 19]])
batch_vectors = batch_embedding(batch_ids)
