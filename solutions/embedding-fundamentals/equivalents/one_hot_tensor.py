# one_hot_encode: scatter into a tensor
# A float tensor, filled in one place.
def one_hot_encode(token_id, vocab_size):
    return torch.zeros(vocab_size).scatter_(0, torch.tensor([token_id]), 1.0)
