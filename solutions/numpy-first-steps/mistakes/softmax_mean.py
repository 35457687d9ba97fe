# softmax: subtracts the mean
# You subtract the mean of each row. Where one score is far above it, `np.exp` still overflows. Subtract from
# each row its own largest score.
def softmax(scores):
    scores = np.asarray(scores, dtype=float)
    powers = np.exp(scores - scores.mean(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)
