# forward: the bias is subtracted
# You subtract b2. Add it.
def hidden_layer(x, w1, b1):
    return np.maximum(0, x @ w1 + b1)


def output_scores(hidden, w2, b2):
    return hidden @ w2 - b2
