# one_hot_equivalence: ids on the CPU index the table
# An index on the CPU may select rows of a table that is on an accelerator.
def one_hot_lookup(weight, token_ids):
    return weight[token_ids.cpu()]


one_hot = F.one_hot(torch.tensor(3), num_classes=10).float()
via_matmul = one_hot @ embedding.weight
via_lookup = embedding(torch.tensor(3))
via_matmul_all = torch.eye(10) @ embedding.weight
via_lookup_all = embedding(torch.arange(10))
