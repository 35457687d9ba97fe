# one_hot_encode: ones everywhere else
# Your vector is inverted: a 0 at the token's index, and 1 everywhere else. It should be the other
# way round.
def one_hot_encode(token_id, vocab_size):
    return np.array([0.0 if place == token_id else 1.0 for place in range(vocab_size)])
