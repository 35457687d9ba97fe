# cosine_similarity: the means are taken away first
# You took the mean away from each vector. That is the correlation; the cosine uses the vectors as
# they are.
def cosine_similarity(a, b):
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    a, b = a - a.mean(), b - b.mean()
    below = np.linalg.norm(a) * np.linalg.norm(b)
    return np.dot(a, b) / below if below else 0.0
