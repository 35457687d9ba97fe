# one_hot_equivalence: nested lists become a tensor on the device
# The one-hot vectors are Python lists; torch.tensor makes them a tensor on the device of the
# table.
def one_hot_lookup(weight, token_ids):
    device = weight.device
    lists = [[float(i == token) for i in range(len(weight))] for token in token_ids.flatten().tolist()]
    return (torch.tensor(lists, device=device) @ weight).reshape(token_ids.shape + weight.shape[1:])


one_hot = F.one_hot(torch.tensor(3), num_classes=10).float()
via_matmul = one_hot @ embedding.weight
via_lookup = embedding(torch.tensor(3))
via_matmul_all = torch.eye(10) @ embedding.weight
via_lookup_all = embedding(torch.arange(10))
