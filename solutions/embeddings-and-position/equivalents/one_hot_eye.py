# one_hot_equivalence: rows of an identity matrix
# The one-hot vectors are rows of torch.eye, and the product is written as einsum.
def one_hot_lookup(weight, token_ids):
    return torch.einsum("...v,vd->...d", torch.eye(weight.shape[0]).to(weight)[token_ids], weight)


one_hot = torch.eye(10)[3]
via_matmul = one_hot @ embedding.weight
via_lookup = embedding(torch.tensor(3))
via_matmul_all = torch.eye(10) @ embedding.weight
via_lookup_all = embedding(torch.arange(10))
