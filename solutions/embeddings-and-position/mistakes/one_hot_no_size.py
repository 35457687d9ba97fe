# one_hot_equivalence: one-hot vectors as long as the largest id
# F.one_hot(ids) makes vectors of length (largest id + 1); if the last row is not used, they do not
# fit the table. Pass the number of rows: F.one_hot(ids, len(weight)).
def one_hot_lookup(weight, token_ids):
    return F.one_hot(token_ids).float() @ weight


one_hot = F.one_hot(torch.tensor(3), num_classes=10).float()
via_matmul = one_hot @ embedding.weight
via_lookup = embedding(torch.tensor(3))
via_matmul_all = torch.eye(10) @ embedding.weight
via_lookup_all = embedding(torch.arange(10))
