# one_hot_encode: a softmax instead of a one-hot vector
# Your vector has numbers above 0 everywhere. A one-hot vector has exactly one 1 and is exactly 0
# everywhere else.
def one_hot_encode(token_id, vocab_size):
    scores = np.arange(vocab_size) == token_id
    return np.exp(scores) / np.exp(scores).sum()
