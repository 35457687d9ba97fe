# one_hot_encode: the id itself in the vector
# You wrote the id at its index. The value there is 1, whatever the id is.
def one_hot_encode(token_id, vocab_size):
    vector = np.zeros(vocab_size)
    vector[token_id] = token_id
    return vector
