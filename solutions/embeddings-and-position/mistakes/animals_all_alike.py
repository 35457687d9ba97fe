# cosine_similarity: all five rows are similar
# Your animals are close together, but so are the two other words. Put the large numbers of rows 3
# and 4 into other columns.
def cosine_similarity(a, b):
    lengths = a.norm() * b.norm()
    return float(a @ b / lengths) if lengths > 0 else 0.0


random_emb = nn.Embedding(5, 64)
trained_emb = nn.Embedding(5, 4)
with torch.no_grad():
    trained_emb.weight.copy_(torch.tensor([
        [1.0, 0.9, 0.8, 0.9],
        [0.9, 1.0, 0.9, 0.8],
        [1.0, 0.8, 0.9, 0.9],
        [0.8, 0.9, 1.0, 0.7],
        [0.9, 0.7, 0.8, 1.0],
    ]))
