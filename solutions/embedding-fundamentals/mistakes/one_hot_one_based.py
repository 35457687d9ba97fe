# one_hot_encode: ids counted from 1
# You put the 1 one index too far to the left, as if ids were counted from 1. They are counted from
# 0, so token 0 has its 1 at index 0.
def one_hot_encode(token_id, vocab_size):
    vector = np.zeros(vocab_size)
    vector[token_id - 1] = 1
    return vector
