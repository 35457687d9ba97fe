# softmax: not divided by the sum
# These are the powers. Divide each by the sum of its row, so that the row adds up to 1.
def softmax(scores):
    scores = np.asarray(scores, dtype=float)
    return np.exp(scores - scores.max(axis=-1, keepdims=True))
