# batch_embedding: the mean over the tokens
# You took the mean over the sequence, so only one vector per sequence remains. Every token keeps
# its own: [B, T, D].
batch_embedding = nn.Embedding(20, 8)
batch_ids = torch.tensor([[3, 1, 4, 1, 5], [9, 2, 6, 5, 3], [5, 8, 9, 7, 19]])
batch_vectors = batch_embedding(batch_ids).mean(dim=1)
