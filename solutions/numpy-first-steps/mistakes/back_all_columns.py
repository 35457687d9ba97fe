# backward: every label in every row
# `d[:, labels] -= 1` subtracts from the columns of all labels in every row. Use `d[np.arange(N), labels]`.
def score_gradient(probabilities, labels):
    result = probabilities.copy()
    result[:, labels] -= 1
    return result / len(labels)


def layer_gradients(inputs, d_outputs):
    return inputs.T @ d_outputs, d_outputs.sum(axis=0)


def hidden_gradient(hidden, d_scores, w2):
    return (d_scores @ w2.T) * (hidden > 0)
