# confusion: right answers are left out
# The diagonal is 0. Right answers are counted there.
def confusion(truth, predicted, count):
    result = np.zeros((count, count), dtype=int)
    np.add.at(result, (truth, predicted), 1)
    np.fill_diagonal(result, 0)
    return result
