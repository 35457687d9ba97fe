# cosine_similarity: F.cosine_similarity and from_pretrained
# The library's function, which returns a 0-d tensor; trained_emb is made by from_pretrained
# and is frozen.
def cosine_similarity(a, b):
    return F.cosine_similarity(a, b, dim=0)


random_emb = nn.Embedding(5, 64)
trained_emb = nn.Embedding.from_pretrained(torch.tensor([
    [1.0, 0.9, 0.1, 0.0],
    [0.9, 1.0, 0.0, 0.1],
    [1.1, 0.8, 0.2, 0.1],
    [0.1, 0.0, 1.0, 0.1],
    [0.0, 0.1, 0.1, 1.0],
]))
