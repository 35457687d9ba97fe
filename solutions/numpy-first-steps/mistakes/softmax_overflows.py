# softmax: overflows
# Your numbers are right for small scores, but `exp(1000)` is larger than every float. Subtract from each
# row its largest score first.
def softmax(scores):
    powers = np.exp(np.asarray(scores, dtype=float))
    return powers / powers.sum(axis=-1, keepdims=True)
