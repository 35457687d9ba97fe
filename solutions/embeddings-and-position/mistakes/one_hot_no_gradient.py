# one_hot_equivalence: the table is detached
# The vectors are right, but they are detached from the table, so training cannot change it.
# Multiply by the weight itself.
def one_hot_lookup(weight, token_ids):
    with torch.no_grad():
        return F.one_hot(token_ids, num_classes=weight.shape[0]).float() @ weight


one_hot = F.one_hot(torch.tensor(3), num_classes=10).float()
via_matmul = one_hot @ embedding.weight
via_lookup = embedding(torch.tensor(3))
via_matmul_all = torch.eye(10) @ embedding.weight
via_lookup_all = embedding(torch.arange(10))
