# cross_entropy: every label in every row
# `probabilities[:, labels]` takes from each row the columns of all labels. Take one number of each row:
# `probabilities[np.arange(N), labels]`.
def cross_entropy(probabilities, labels):
    return -np.log(probabilities[:, labels]).mean()
