# cosine_similarity: 1 - cosine
# You return a distance: 0 for the same direction. The similarity is 1 for it, so leave out the
# subtraction.
def cosine_similarity(a, b):
    lengths = a.norm() * b.norm()
    return 1.0 - float(a @ b / lengths) if lengths > 0 else 0.0


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
