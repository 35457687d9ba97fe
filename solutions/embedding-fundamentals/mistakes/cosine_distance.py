# cosine_similarity: one minus the cosine
# You returned 1 minus the cosine, which is a distance: 0 for the same direction. The similarity is
# the cosine itself.
def cosine_similarity(a, b):
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    below = np.linalg.norm(a) * np.linalg.norm(b)
    return 1.0 - (np.dot(a, b) / below if below else 0.0)
