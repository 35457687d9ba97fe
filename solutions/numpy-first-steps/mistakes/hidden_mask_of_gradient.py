# backward: ReLU of the derivative
# You apply ReLU to the derivative itself. It is the hidden layer that decides where it passes.
def score_gradient(probabilities, labels):
    one_hot = np.eye(probabilities.shape[1])[labels]
    return (probabilities - one_hot) / len(labels)


def layer_gradients(inputs, d_outputs):
    return inputs.T @ d_outputs, d_outputs.sum(axis=0)


def hidden_gradient(hidden, d_scores, w2):
    return np.maximum(0, d_scores @ w2.T)
