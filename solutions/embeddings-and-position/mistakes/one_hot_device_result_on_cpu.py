# one_hot_equivalence: the result is made on the CPU
# You fill a tensor of zeros that lies on the CPU with the rows. Nothing complains, because
# assigning copies from one device to another, but the result is left there: make it where the
# table is.
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
