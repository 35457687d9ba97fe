# one_hot_equivalence: the result is left on the CPU
# Your vectors are on the CPU, wherever the table is. There is no error when numbers are copied
# there, by .cpu() or by assigning to zeros on the CPU. Work on the device of the table, and leave
# the result there.
def one_hot_lookup(weight, token_ids):
    flat = token_ids.reshape(-1)
    rows = torch.zeros(len(flat), weight.shape[1])
    for place, token in enumerate(flat.tolist()):
        rows[place] = weight[token]
    return rows.reshape(*token_ids.shape, weight.shape[1])


one_hot = F.one_hot(torch.tensor(3), num_classes=10).float()
via_matmul = one_hot @ embedding.weight
via_lookup = embedding(torch.tensor(3))
via_matmul_all = torch.eye(10) @ embedding.weight
via_lookup_all = embedding(torch.arange(10))
