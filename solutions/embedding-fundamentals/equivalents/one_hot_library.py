# one_hot_encode: F.one_hot
# An integer tensor from the library.
def one_hot_encode(token_id, vocab_size):
    return F.one_hot(torch.tensor(token_id), num_classes=vocab_size)
