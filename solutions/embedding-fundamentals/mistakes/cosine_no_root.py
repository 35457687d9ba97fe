# cosine_similarity: no square root
# You divided by the squares of the lengths. A length is the square root of the sum of squares.
def cosine_similarity(a, b):
    a, b = torch.as_tensor(a).float(), torch.as_tensor(b).float()
    below = (a * a).sum() * (b * b).sum()
    return torch.dot(a, b) / below if below else 0.0
