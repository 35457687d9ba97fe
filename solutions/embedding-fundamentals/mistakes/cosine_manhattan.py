# cosine_similarity: sums of absolute values for lengths
# Your lengths are sums of absolute values. The length of a vector is the square root of the sum of
# its squares.
def cosine_similarity(a, b):
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    below = np.abs(a).sum() * np.abs(b).sum()
    return np.dot(a, b) / below if below else 0.0
