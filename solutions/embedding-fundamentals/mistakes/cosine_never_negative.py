# cosine_similarity: negative cosines become 0
# You cut the cosines off at 0. Opposite directions have -1.
def cosine_similarity(a, b):
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    lengths = np.linalg.norm(a) * np.linalg.norm(b)
    return max(0.0, float(a @ b / lengths)) if lengths else 0.0
