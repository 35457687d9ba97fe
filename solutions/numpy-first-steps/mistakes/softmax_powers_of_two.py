# softmax: powers of 2
# You take powers of 2. Softmax takes powers of e: `np.exp`.
def softmax(scores):
    scores = np.asarray(scores, dtype=float)
    powers = 2 ** (scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)
