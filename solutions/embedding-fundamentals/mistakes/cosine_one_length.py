# cosine_similarity: divides by one length
# You divided by the length of the first vector only, so a longer second vector looks more alike.
# Both lengths belong below the fraction.
def cosine_similarity(a, b):
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    length = np.linalg.norm(a)
    return np.dot(a, b) / length if length else 0.0
