# forward: absolute values instead of ReLU
# Negative numbers became positive. ReLU makes them 0.
def hidden_layer(x, w1, b1):
    return np.abs(x @ w1 + b1)


def output_scores(hidden, w2, b2):
    return hidden @ w2 + b2
