# backward: the bias first
# You return the derivative of the bias first. The order is w, b.
def score_gradient(probabilities, labels):
    one_hot = np.eye(probabilities.shape[1])[labels]
    return (probabilities - one_hot) / len(labels)


def layer_gradients(inputs, d_outputs):
    return d_outputs.sum(axis=0), inputs.T @ d_outputs


def hidden_gradient(hidden, d_scores, w2):
    return (d_scores @ w2.T) * (hidden > 0)
