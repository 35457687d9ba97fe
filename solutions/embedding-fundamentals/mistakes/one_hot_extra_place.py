# one_hot_encode: one place too many
# Your vector has vocab_size + 1 places. Ids run from 0 to vocab_size - 1, and that makes
# vocab_size of them.
def one_hot_encode(token_id, vocab_size):
    vector = np.zeros(vocab_size + 1)
    vector[token_id] = 1
    return vector
