# cross_entropy: one number for each row
# You return one number for each row. The loss is their mean, a single number.
def cross_entropy(probabilities, labels):
    return -np.log(probabilities[np.arange(len(labels)), labels])
