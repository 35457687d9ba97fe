# cross_entropy: the sum instead of the mean
# This is the sum over the rows. The loss is their mean.
def cross_entropy(probabilities, labels):
    return -np.log(probabilities[np.arange(len(labels)), labels]).sum()
