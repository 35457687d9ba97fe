# backward: means in place of sums
# You take the mean over the batch for the bias. The factor 1/N is in d_outputs already: take the sum.
def score_gradient(probabilities, labels):
    one_hot = np.eye(probabilities.shape[1])[labels]
    return (probabilities - one_hot) / len(labels)


def layer_gradients(inputs, d_outputs):
    return inputs.T @ d_outputs, d_outputs.mean(axis=0)


def hidden_gradient(hidden, d_scores, w2):
    return (d_scores @ w2.T) * (hidden > 0)
