# softmax: one maximum for all rows
# You subtract the largest score of the whole array. In a row whose scores are much smaller, all powers
# become 0, and 0 / 0 is not a number. Subtract from each row its own largest score.
def softmax(scores):
    scores = np.asarray(scores, dtype=float)
    powers = np.exp(scores - scores.max())
    return powers / powers.sum(axis=-1, keepdims=True)
