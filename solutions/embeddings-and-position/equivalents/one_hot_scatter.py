# one_hot_equivalence: ones are scattered into zeros
# The one-hot vectors are zeros into which scatter_ writes ones; the results of one token keep
# an axis of length 1.
def one_hot_lookup(weight, token_ids):
    vectors = weight.new_zeros(*token_ids.shape, len(weight))
    vectors.scatter_(-1, token_ids.unsqueeze(-1), 1.0)
    return torch.matmul(vectors, weight)


one_hot = torch.zeros(1, 10).scatter_(1, torch.tensor([[3]]), 1.0)
via_matmul = one_hot @ embedding.weight
via_lookup = embedding(torch.tensor([3]))
via_matmul_all = torch.zeros(10, 10).fill_diagonal_(1.0) @ embedding.weight
via_lookup_all = embedding.weight[torch.arange(10)]
