# cosine_similarity: rounded to whole numbers
# Your function goes on in the type of its input, so for integers the result is cut to a whole
# number. Compute in floating point.
def cosine_similarity(a, b):
    x, y = np.asarray(a), np.asarray(b)
    below = np.sqrt((x * x).sum() * (y * y).sum())
    return (np.dot(x, y) / below if below else np.float64(0)).astype(x.dtype)
