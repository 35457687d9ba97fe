# cosine_similarity: a small number below the fraction
# A small number is added to the divisor, so a zero vector gives 0 without an if. The table is
# a new Parameter.
def cosine_similarity(a, b):
    dot = sum(x * y for x, y in zip(a.tolist(), b.tolist()))
    length_a = math.sqrt(sum(x * x for x in a.tolist()))
    length_b = math.sqrt(sum(x * x for x in b.tolist()))
    return dot / (length_a * length_b + 1e-6)


random_emb = nn.Embedding(5, 64)
trained_emb = nn.Embedding(5, 4)
trained_emb.weight = nn.Parameter(torch.tensor([
    [1.0, 0.9, 0.1, 0.0],
    [0.9, 1.0, 0.0, 0.1],
    [1.1, 0.8, 0.2, 0.1],
    [0.1, 0.0, 1.0, 0.1],
    [0.0, 0.1, 0.1, 1.0],
]))
