# softmax: along the first axis
# Your columns add up to 1. It is the rows that must: work along the last axis, `axis=-1`.
def softmax(scores):
    scores = np.asarray(scores, dtype=float)
    powers = np.exp(scores - scores.max(axis=0, keepdims=True))
    return powers / powers.sum(axis=0, keepdims=True)
