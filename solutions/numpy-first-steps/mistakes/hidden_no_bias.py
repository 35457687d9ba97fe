# forward: the hidden layer without its bias
# You leave out b1.
def hidden_layer(x, w1, b1):
    return np.maximum(0, x @ w1)


def output_scores(hidden, w2, b2):
    return hidden @ w2 + b2
