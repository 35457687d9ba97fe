# one_hot_encode: a softmax in place of a one-hot vector
# Your vector has numbers above 0 in every place. One-hot is hard: exactly 1 in one place, exactly
# 0 in all others.
def one_hot_encode(token_id, vocab_size):
    scores = np.arange(vocab_size) == token_id
    return np.exp(scores) / np.exp(scores).sum()
