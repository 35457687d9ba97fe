# batch_embedding: a linear layer instead of the table
# nn.Linear multiplies; it does not look up. Use nn.Embedding, which takes the ids themselves.
batch_embedding = nn.Linear(20, 8, bias=False)
batch_ids = torch.tensor([[3, 1, 4, 1, 5], [9, 2, 6, 5, 3], [5, 8, 9, 7, 19]])
batch_vectors = batch_embedding(F.one_hot(batch_ids, 20).float())
