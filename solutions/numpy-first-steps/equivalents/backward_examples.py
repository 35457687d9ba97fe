# backward: one example at a time
# Outer products are added up.
def score_gradient(probabilities, labels):
    rows = []
    for p, label in zip(probabilities, labels):
        row = p.copy()
        row[label] -= 1
        rows.append(row / len(labels))
    return np.array(rows)


def layer_gradients(inputs, d_outputs):
    table = sum(np.outer(row, d) for row, d in zip(inputs, d_outputs))
    return table, sum(d_outputs)


def hidden_gradient(hidden, d_scores, w2):
    return np.array([np.where(h > 0, w2 @ d, 0) for h, d in zip(hidden, d_scores)])
