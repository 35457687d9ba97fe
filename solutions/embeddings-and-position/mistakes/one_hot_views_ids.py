# one_hot_equivalence: requires contiguous ids
# You flatten the ids with view, which fails for transposed ids. Use an operation that keeps the
# axes of the ids, or use reshape.
def one_hot_lookup(weight, token_ids):
    rows = F.one_hot(token_ids.view(-1), num_classes=weight.shape[0]).to(weight.dtype) @ weight
    return rows.reshape(*token_ids.shape, weight.shape[1])


one_hot = F.one_hot(torch.tensor(3), num_classes=10).float()
via_matmul = one_hot @ embedding.weight
via_lookup = embedding(torch.tensor(3))
via_matmul_all = torch.eye(10) @ embedding.weight
via_lookup_all = embedding(torch.arange(10))
