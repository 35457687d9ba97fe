# one_hot_equivalence: zeros on the device, filled token by token
# Zeros are made with device=, and a loop over plain numbers sets the ones.
def one_hot_lookup(weight, token_ids):
    flat = token_ids.flatten().tolist()
    vectors = torch.zeros((len(flat), weight.size(0)), dtype=weight.dtype, device=weight.device)
    for place, token in enumerate(flat):
        vectors[place, token] = 1
    return (vectors @ weight).unflatten(0, token_ids.shape)


one_hot = F.one_hot(torch.tensor(3), num_classes=10).float()
via_matmul = one_hot @ embedding.weight
via_lookup = embedding(torch.tensor(3))
via_matmul_all = torch.eye(10) @ embedding.weight
via_lookup_all = embedding(torch.arange(10))
