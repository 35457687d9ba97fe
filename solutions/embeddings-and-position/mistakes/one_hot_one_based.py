# one_hot_equivalence: ids counted from 1
# Your 1 is one index too early: id 3 is the fourth element, because ids start at 0.
def one_hot_lookup(weight, token_ids):
    one_hot_rows = F.one_hot((token_ids - 1) % weight.shape[0], num_classes=weight.shape[0]).float()
    return one_hot_rows @ weight


one_hot = torch.zeros(10)
one_hot[3 - 1] = 1.0
via_matmul = one_hot @ embedding.weight
via_lookup = embedding(torch.tensor(3))
via_matmul_all = torch.eye(10) @ embedding.weight
via_lookup_all = embedding(torch.arange(10))
