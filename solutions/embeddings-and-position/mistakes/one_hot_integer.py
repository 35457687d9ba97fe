# one_hot_equivalence: integer one-hot vectors in the product
# F.one_hot gives integers, and a matrix product needs both sides in one floating-point type.
# Convert the one-hot vectors first.
def one_hot_lookup(weight, token_ids):
    return F.one_hot(token_ids, num_classes=weight.shape[0]) @ weight


one_hot = F.one_hot(torch.tensor(3), num_classes=10)
via_lookup = embedding(torch.tensor(3))
via_lookup_all = embedding(torch.arange(10))
via_matmul = one_hot @ embedding.weight
via_matmul_all = F.one_hot(torch.arange(10)) @ embedding.weight
