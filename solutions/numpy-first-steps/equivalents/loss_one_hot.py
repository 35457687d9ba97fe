# cross_entropy: with one-hot rows
# A product with one-hot rows in place of indexing.
def cross_entropy(probabilities, labels):
    one_hot = np.eye(probabilities.shape[1])[labels]
    return -(one_hot * np.log(probabilities)).sum() / len(probabilities)
