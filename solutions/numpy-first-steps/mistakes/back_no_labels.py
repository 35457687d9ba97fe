# backward: without the labels
# You use p in place of p - y: subtract 1 from the probability of the right class.
def score_gradient(probabilities, labels):
    return probabilities / len(labels)


def layer_gradients(inputs, d_outputs):
    return inputs.T @ d_outputs, d_outputs.sum(axis=0)


def hidden_gradient(hidden, d_scores, w2):
    return (d_scores @ w2.T) * (hidden > 0)
