# cosine_similarity: trained_emb is left random
# The numbers of trained_emb are the random ones that PyTorch drew. Set them yourself, so that the
# first three rows have almost the same direction.
def cosine_similarity(a, b):
    lengths = a.norm() * b.norm()
    return float(a @ b / lengths) if lengths > 0 else 0.0


random_emb = nn.Embedding(5, 64)
trained_emb = nn.Embedding(5, 4)
with torch.no_grad():
    trained_emb.weight.copy_(torch.randn(5, 4, generator=torch.Generator().manual_seed(7)))
