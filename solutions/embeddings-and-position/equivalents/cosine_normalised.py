# cosine_similarity: both vectors scaled to length 1 first
# F.normalize divides each vector by its length, and leaves a zero vector as it is; the result
# is an array of one element.
def cosine_similarity(a, b):
    return (F.normalize(a[None]) @ F.normalize(b[None]).T).cpu().numpy().reshape(1)


random_emb = nn.Embedding(5, 64)
trained_emb = nn.Embedding.from_pretrained(torch.tensor([
    [1.0, 0.9, 0.1, 0.0],
    [0.9, 1.0, 0.0, 0.1],
    [1.1, 0.8, 0.2, 0.1],
    [0.1, 0.0, 1.0, 0.1],
    [0.0, 0.1, 0.1, 1.0],
]))
