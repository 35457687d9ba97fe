# backward: ReLU is left out on the way back
# You pass derivatives on through ReLU everywhere. Where the hidden layer is 0, it stops them: `hidden > 0`, not `>= 0`.
def score_gradient(probabilities, labels):
    one_hot = np.eye(probabilities.shape[1])[labels]
    return (probabilities - one_hot) / len(labels)


def layer_gradients(inputs, d_outputs):
    return inputs.T @ d_outputs, d_outputs.sum(axis=0)


def hidden_gradient(hidden, d_scores, w2):
    return d_scores @ w2.T
