# softmax: the sums lose their axis
# Without `keepdims=True` the sums have one axis less, and the division pairs them with columns, or fails.
def softmax(scores):
    scores = np.asarray(scores, dtype=float)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1)
