# softmax: the sign of the scores
# Your largest probabilities belong to the smallest scores: the sign in the exponent is wrong.
def softmax(scores):
    scores = np.asarray(scores, dtype=float)
    powers = np.exp(scores.min(axis=-1, keepdims=True) - scores)
    return powers / powers.sum(axis=-1, keepdims=True)
