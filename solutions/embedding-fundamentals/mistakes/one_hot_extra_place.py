# one_hot_encode: one element too many
# Your vector has vocab_size + 1 elements. Ids run from 0 to vocab_size - 1, so there are vocab_size
# of them.
def one_hot_encode(token_id, vocab_size):
    vector = np.zeros(vocab_size + 1)
    vector[token_id] = 1
    return vector
