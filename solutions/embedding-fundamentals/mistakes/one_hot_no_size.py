# one_hot_encode: as long as the id needs
# Your vector ends with its 1. It should have vocab_size numbers, whatever the id is.
def one_hot_encode(token_id, vocab_size):
    return F.one_hot(torch.tensor(token_id))
