# cosine_similarity: the lengths without the square root
# You divided by the squared lengths. The length of a vector is the square root of the sum of
# its squares.
def cosine_similarity(a, b):
    below = (a * a).sum() * (b * b).sum()
    return float((a * b).sum() / below) if below > 0 else 0.0


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
