# one_hot_equivalence: one vector for each id, stacked
# Each id makes its vector by new_zeros; the vectors are stacked and multiplied by tensordot.
def one_hot_lookup(weight, token_ids):
    vectors = []
    for token in token_ids.reshape(-1):
        vector = weight.new_zeros(weight.shape[0])
        vector[token] = 1.0
        vectors.append(vector)
    stacked = torch.stack(vectors).view(*token_ids.shape, -1)
    return torch.tensordot(stacked, weight, dims=([-1], [0]))


one_hot = F.one_hot(torch.tensor(3), num_classes=10).float()
via_matmul = one_hot @ embedding.weight
via_lookup = embedding(torch.tensor(3))
via_matmul_all = torch.eye(10) @ embedding.weight
via_lookup_all = embedding(torch.arange(10))
