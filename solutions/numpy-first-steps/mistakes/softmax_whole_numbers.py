# softmax: fills an array of whole numbers
# Your result has the type of the scores. With whole numbers as scores, all probabilities below 1 become 0.
def softmax(scores):
    result = np.zeros_like(scores)
    powers = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    result[...] = powers / powers.sum(axis=-1, keepdims=True)
    return result
