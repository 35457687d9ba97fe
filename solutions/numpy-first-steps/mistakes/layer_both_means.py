# backward: divided by N once more
# You divide by N once more. The factor 1/N is in d_outputs already.
def score_gradient(probabilities, labels):
    one_hot = np.eye(probabilities.shape[1])[labels]
    return (probabilities - one_hot) / len(labels)


def layer_gradients(inputs, d_outputs):
    n = len(inputs)
    return inputs.T @ d_outputs / n, d_outputs.sum(axis=0) / n


def hidden_gradient(hidden, d_scores, w2):
    return (d_scores @ w2.T) * (hidden > 0)
