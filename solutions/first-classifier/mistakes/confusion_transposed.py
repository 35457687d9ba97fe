# confusion: rows and columns are exchanged
# Your rows are the predicted classes. They are to be the true ones.
def confusion(truth, predicted, count):
    result = np.zeros((count, count), dtype=int)
    np.add.at(result, (predicted, truth), 1)
    return result
