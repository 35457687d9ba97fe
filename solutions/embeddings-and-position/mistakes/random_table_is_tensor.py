# cosine_similarity: random_emb is a plain tensor
# Your random_emb is a tensor of random numbers. Make it with nn.Embedding: then it has a weight
# that can be trained.
def cosine_similarity(a, b):
    lengths = a.norm() * b.norm()
    return float(a @ b / lengths) if lengths > 0 else 0.0


random_emb = torch.randn(5, 64)
trained_emb = nn.Embedding(5, 4)
with torch.no_grad():
    trained_emb.weight.copy_(torch.tensor([
        [1.0, 0.9, 0.1, 0.0],
        [0.9, 1.0, 0.0, 0.1],
        [1.1, 0.8, 0.2, 0.1],
        [0.1, 0.0, 1.0, 0.1],
        [0.0, 0.1, 0.1, 1.0],
    ]))
