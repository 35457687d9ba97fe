# forward: with where
# A comparison in place of the maximum, and einsum.
def hidden_layer(x, w1, b1):
    before = np.einsum("nd,dh->nh", x, w1) + b1
    return np.where(before > 0, before, 0.0)


def output_scores(hidden, w2, b2):
    return np.einsum("nh,hc->nc", hidden, w2) + b2
