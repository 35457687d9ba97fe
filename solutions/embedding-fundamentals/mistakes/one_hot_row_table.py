# one_hot_encode: a table of one row
# Your result has the shape [1, V]. One token gives a vector of shape [V]; remove the extra pair of
# brackets.
def one_hot_encode(token_id, vocab_size):
    vector = np.zeros((1, vocab_size))
    vector[0, token_id] = 1
    return vector
