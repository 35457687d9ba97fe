# one_hot_equivalence: zeros on the CPU
# The zeros into which you scatter ones are on the CPU, but the ids may be elsewhere. Create the
# zeros on the device of the ids.
def one_hot_lookup(weight, token_ids):
    one_hot_rows = torch.zeros(*token_ids.shape, weight.shape[0])
    one_hot_rows.scatter_(-1, token_ids.unsqueeze(-1), 1.0)
    return one_hot_rows @ weight


one_hot = F.one_hot(torch.tensor(3), num_classes=10).float()
via_matmul = one_hot @ embedding.weight
via_lookup = embedding(torch.tensor(3))
via_matmul_all = torch.eye(10) @ embedding.weight
via_lookup_all = embedding(torch.arange(10))
