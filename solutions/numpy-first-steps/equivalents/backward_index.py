# backward: by indexing
# The ones are subtracted from a copy, the derivative is cut out.
def score_gradient(probabilities, labels):
    result = np.array(probabilities)
    result[range(len(labels)), labels] -= 1
    return result / result.shape[0]


def layer_gradients(inputs, d_outputs):
    return [inputs.T.dot(d_outputs), np.ones(len(inputs)) @ d_outputs]


def hidden_gradient(hidden, d_scores, w2):
    result = d_scores.dot(w2.T)
    result[hidden <= 0] = 0
    return result
