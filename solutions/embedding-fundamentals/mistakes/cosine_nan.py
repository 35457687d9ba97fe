# cosine_similarity: NaN for a zero vector
# For right and wrong vectors alike the fraction is right, but a vector of zeros has the length 0,
# and 0 / 0 is NaN. Decide what to return before you divide.
def cosine_similarity(a, b):
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    return np.dot(a, b) / (np.linalg.norm(a) * np.linalg.norm(b))
