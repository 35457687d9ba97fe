# cosine_similarity: the sign is lost
# Your result is never negative. Vectors that point in opposite directions have cosine -1; keep
# the sign of the dot product.
def cosine_similarity(a, b):
    lengths = a.norm() * b.norm()
    return abs(float(a @ b / lengths)) if lengths > 0 else 0.0


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
