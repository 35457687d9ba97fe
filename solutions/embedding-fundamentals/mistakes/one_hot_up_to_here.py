# one_hot_encode: ones up to the place of the token
# All places up to the token hold a 1. Only its own place does.
def one_hot_encode(token_id, vocab_size):
    vector = np.zeros(vocab_size)
    vector[: token_id + 1] = 1
    return vector
