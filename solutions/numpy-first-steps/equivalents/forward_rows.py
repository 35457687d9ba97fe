# forward: row by row
# Lists of rows.
def hidden_layer(x, w1, b1):
    return [np.clip(row @ w1 + b1, 0, None) for row in x]


def output_scores(hidden, w2, b2):
    return np.array([row @ w2 + b2 for row in hidden])
