# confusion: all rows are one list
# `[[0] * count] * count` is one row several times: what you add to one, you add to all. Make each row anew.
def confusion(truth, predicted, count):
    result = [[0] * count] * count
    for right, given in zip(truth, predicted):
        result[right][given] += 1
    return np.array(result)
