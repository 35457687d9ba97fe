# softmax: along axis 1
# You work along axis 1, which is the last one only if there are two. Use `axis=-1`.
def softmax(scores):
    scores = np.asarray(scores, dtype=float)
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)
