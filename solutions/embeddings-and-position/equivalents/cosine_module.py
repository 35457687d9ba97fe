# cosine_similarity: nn.CosineSimilarity, moved to the vectors
# The library's module, sent to the device of the vectors; a batch of one.
similarity = nn.CosineSimilarity(dim=1)


def cosine_similarity(a, b):
    return similarity.to(a.device)(a[None, :], b[None, :])


random_emb = nn.Embedding(5, 64)
trained_emb = nn.Embedding(5, 4)
with torch.no_grad():
    trained_emb.weight.copy_(torch.tensor([
        [1.0, 0.9, 0.1, 0.0],
        [0.9, 1.0, 0.0, 0.1],
        [1.1, 0.8, 0.2, 0.1],
        [0.1, 0.0, 1.0, 0.1],
        [0.0, 0.1, 0.1, 1.0],
    ]))
