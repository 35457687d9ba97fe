# cosine_similarity: no square root
# You divided by the squares of the lengths. A length is the square root of the sum of squares.
def cosine_similarity(a, b):
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    below = np.sum(a * a) * np.sum(b * b)
    return np.dot(a, b) / below if below else 0.0
