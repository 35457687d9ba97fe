# confusion: with the library
# All labels are named.
from sklearn.metrics import confusion_matrix


def confusion(truth, predicted, count):
    return confusion_matrix(truth, predicted, labels=range(count))
