# forward: the first bias after ReLU
# You add b1 after ReLU. It belongs inside: max(0, x w1 + b1).
def hidden_layer(x, w1, b1):
    return np.maximum(0, x @ w1) + b1


def output_scores(hidden, w2, b2):
    return hidden @ w2 + b2
