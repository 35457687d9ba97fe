# cosine_similarity: divides by one length
# You divided by the length of the first vector only, so a longer second vector seems more similar.
# Divide by both lengths.
def cosine_similarity(a, b):
    length = a.norm()
    return float(a @ b / length) if length > 0 else 0.0


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
