# softmax: one sum for the whole array
# All your numbers together add up to 1. Each row must add up to 1 by itself: sum along the last axis.
def softmax(scores):
    scores = np.asarray(scores, dtype=float)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum()
