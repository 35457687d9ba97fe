# cross_entropy: one minus the probability
# This is the mean of 1 - p. The loss is the mean of -log(p).
def cross_entropy(probabilities, labels):
    return (1 - probabilities[np.arange(len(labels)), labels]).mean()
