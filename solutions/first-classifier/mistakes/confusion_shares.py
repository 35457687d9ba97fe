# confusion: shares of each row
# You return shares. Return how many.
def confusion(truth, predicted, count):
    result = np.zeros((count, count))
    np.add.at(result, (truth, predicted), 1)
    return result / np.maximum(result.sum(axis=1, keepdims=True), 1)
