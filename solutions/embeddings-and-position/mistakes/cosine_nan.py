# cosine_similarity: NaN for a zero vector
# For a zero vector you divide 0 by 0, and the result is NaN. Decide what to return before
# dividing, or keep the divisor above zero.
def cosine_similarity(a, b):
    return float(a @ b / (a.norm() * b.norm()))


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
