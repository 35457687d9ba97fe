# one_hot_encode: True and False instead of numbers
# A comparison gives True and False. The vector should contain numbers: convert them, for example
# with astype(float).
def one_hot_encode(token_id, vocab_size):
    return np.arange(vocab_size) == token_id
