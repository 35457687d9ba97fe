# one_hot_encode: a row of the identity
# np.eye makes all one-hot vectors at once.
def one_hot_encode(token_id, vocab_size):
    return np.eye(vocab_size, dtype=np.float32)[token_id]
