# softmax: logarithms of the probabilities
# These are the logarithms of the probabilities. Return the probabilities themselves.
def softmax(scores):
    scores = np.asarray(scores, dtype=float)
    scores = scores - scores.max(axis=-1, keepdims=True)
    return scores - np.log(np.exp(scores).sum(axis=-1, keepdims=True))
