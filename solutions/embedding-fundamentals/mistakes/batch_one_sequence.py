# batch_embedding: a single sequence
# Your ids are one sequence of shape [T]. A batch contains several sequences of the same length: [B,
# T].
batch_embedding = nn.Embedding(20, 8)
batch_ids = torch.tensor([3, 1, 4, 1, 5])
batch_vectors = batch_embedding(batch_ids)
