# softmax: by its logarithm
# The logarithm of the sum of powers is subtracted, and one exponential follows.
def softmax(scores):
    shifted = scores - np.max(scores, axis=-1, keepdims=True)
    return np.exp(shifted - np.log(np.sum(np.exp(shifted), axis=-1, keepdims=True)))
