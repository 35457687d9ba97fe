# softmax: changes its argument
# You subtract the largest score in the array that you were given. Create a new one: `scores = scores - ...`.
def softmax(scores):
    scores -= scores.max(axis=-1, keepdims=True)
    powers = np.exp(scores)
    return powers / powers.sum(axis=-1, keepdims=True)
