# confusion: with bincount
# Pairs as single numbers.
def confusion(truth, predicted, count):
    return np.bincount(truth * count + predicted, minlength=count**2).reshape(count, count)
