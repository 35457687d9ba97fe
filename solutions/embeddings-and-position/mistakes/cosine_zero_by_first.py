# cosine_similarity: a vector that begins with 0 is taken for zero
# You call a vector zero when its first number is 0. The others may be anything. Ask the length, or
# whether any number is not 0.
def cosine_similarity(a, b):
    if a[0] == 0 or b[0] == 0:
        return 0.0
    return float(torch.dot(a, b) / (a.norm() * b.norm()))


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
