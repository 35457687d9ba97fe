# one_hot_encode: ones everywhere else
# Your vector is inside out: a 0 in the place of the token, and 1 in all others. It is the other
# way round.
def one_hot_encode(token_id, vocab_size):
    return np.array([0.0 if place == token_id else 1.0 for place in range(vocab_size)])
