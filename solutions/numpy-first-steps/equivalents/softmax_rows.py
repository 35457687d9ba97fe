# softmax: row by row
# A loop over rows, by recursion for more axes, and math for the powers.
import math


def softmax(scores):
    if np.ndim(scores) > 1:
        return np.stack([softmax(row) for row in scores])
    largest = max(scores)
    powers = [math.exp(score - largest) for score in scores]
    return np.array([power / sum(powers) for power in powers])
