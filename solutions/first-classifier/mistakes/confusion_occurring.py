# confusion: only classes that occur
# Classes that do not occur are missing. The shape is [count, count].
def confusion(truth, predicted, count):
    classes = np.unique(np.concatenate([truth, predicted]))
    return np.array([[((truth == i) & (predicted == j)).sum() for j in classes] for i in classes])
