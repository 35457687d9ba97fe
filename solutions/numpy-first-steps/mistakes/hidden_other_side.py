# backward: the other side of ReLU
# You keep derivatives where hidden is 0, and stop the others. It is the other way round.
def score_gradient(probabilities, labels):
    one_hot = np.eye(probabilities.shape[1])[labels]
    return (probabilities - one_hot) / len(labels)


def layer_gradients(inputs, d_outputs):
    return inputs.T @ d_outputs, d_outputs.sum(axis=0)


def hidden_gradient(hidden, d_scores, w2):
    return (d_scores @ w2.T) * (hidden <= 0)
