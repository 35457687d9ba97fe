# one_hot_equivalence: the table on the left of the product
# You multiplied the table by the one-hot vector, in that order, so the sizes do not match: [V, D]
# times [V]. The one-hot vector selects rows from the left.
def one_hot_lookup(weight, token_ids):
    one_hot_rows = F.one_hot(token_ids, num_classes=weight.shape[0]).float()
    return weight @ one_hot_rows


one_hot = F.one_hot(torch.tensor(3), num_classes=10).float()
via_lookup = embedding(torch.tensor(3))
via_lookup_all = embedding(torch.arange(10))
via_matmul = embedding.weight @ one_hot
via_matmul_all = embedding.weight @ torch.eye(10)
