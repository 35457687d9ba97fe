# cross_entropy: the largest probability instead of the right one
# You take the largest probability of each row. Take that of its label.
def cross_entropy(probabilities, labels):
    return -np.log(probabilities.max(axis=1)).mean()
