# cosine_similarity: the sign is lost
# You took the absolute value. Opposite directions have the cosine -1, and the sign is to be seen.
def cosine_similarity(a, b):
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    below = np.linalg.norm(a) * np.linalg.norm(b)
    return abs(np.dot(a, b)) / below if below else 0.0
