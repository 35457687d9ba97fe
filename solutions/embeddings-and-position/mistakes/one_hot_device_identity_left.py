# one_hot_equivalence: an identity matrix on the CPU
# torch.eye creates its matrix on the CPU, and ids on an accelerator cannot select its rows. Create
# it where the ids are.
def one_hot_lookup(weight, token_ids):
    one_hot_rows = torch.eye(weight.shape[0])[token_ids]
    return one_hot_rows @ weight


one_hot = F.one_hot(torch.tensor(3), num_classes=10).float()
via_matmul = one_hot @ embedding.weight
via_lookup = embedding(torch.tensor(3))
via_matmul_all = torch.eye(10) @ embedding.weight
via_lookup_all = embedding(torch.arange(10))
