# one_hot_equivalence: flattens the ids
# You flattened the ids, so a batch becomes one long list of vectors. Ids of shape [B, T] should
# give [B, T, D].
def one_hot_lookup(weight, token_ids):
    flat = token_ids.reshape(-1)
    return F.one_hot(flat, num_classes=weight.shape[0]).float() @ weight


one_hot = F.one_hot(torch.tensor(3), num_classes=10).float()
via_matmul = one_hot @ embedding.weight
via_lookup = embedding(torch.tensor(3))
via_matmul_all = torch.eye(10) @ embedding.weight
via_lookup_all = embedding(torch.arange(10))
