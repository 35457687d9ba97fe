# cosine_similarity: all five rows are alike
# Your animals lie together, but the two other words lie with them. Give rows 3 and 4 their
# weight in other columns.
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
