# backward: divided by all numbers
# You divide by N times C, the number of all entries. The mean is over the N rows.
def score_gradient(probabilities, labels):
    one_hot = np.eye(probabilities.shape[1])[labels]
    return (probabilities - one_hot) / probabilities.size


def layer_gradients(inputs, d_outputs):
    return inputs.T @ d_outputs, d_outputs.sum(axis=0)


def hidden_gradient(hidden, d_scores, w2):
    return (d_scores @ w2.T) * (hidden > 0)
