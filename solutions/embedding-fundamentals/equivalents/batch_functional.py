# batch_embedding: other sizes, and the functional form
# A larger table, two sequences, int32 ids; the vectors come from F.embedding, detached.
batch_embedding = nn.Embedding(num_embeddings=50, embedding_dim=16, padding_idx=0)
batch_ids = torch.randint(1, 50, (2, 7), dtype=torch.int32)
batch_vectors = F.embedding(batch_ids, batch_embedding.weight).detach().numpy()
