# softmax: with the last axis in front
# The last axis is moved to the front and back, so that no axis need be kept.
def softmax(scores):
    front = np.moveaxis(np.array(scores, float), -1, 0)
    powers = np.exp(front - front.max(0))
    return np.moveaxis(powers / powers.sum(0), 0, -1)
