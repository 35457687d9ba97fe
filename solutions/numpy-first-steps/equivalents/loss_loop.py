# cross_entropy: in a loop
# Plain Python.
import math


def cross_entropy(probabilities, labels):
    total = 0.0
    for row, label in zip(probabilities, labels):
        total -= math.log(row[label])
    return total / len(labels)
