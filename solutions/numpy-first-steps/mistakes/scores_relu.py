# forward: ReLU on the scores
# You apply ReLU to the scores too. Nothing follows them.
def hidden_layer(x, w1, b1):
    return np.maximum(0, x @ w1 + b1)


def output_scores(hidden, w2, b2):
    return np.maximum(0, hidden @ w2 + b2)
