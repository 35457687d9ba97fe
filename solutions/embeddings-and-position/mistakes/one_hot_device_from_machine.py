# one_hot_equivalence: the device is chosen by what the machine has
# You create the one-hot vectors on an accelerator if the machine has one, even if the table is on
# the CPU. Use the device of the inputs, not what the machine has.
def one_hot_lookup(weight, token_ids):
    device = "cuda" if torch.cuda.is_available() else "cpu"
    one_hot_rows = F.one_hot(token_ids, num_classes=weight.shape[0]).float().to(device)
    return one_hot_rows @ weight


one_hot = F.one_hot(torch.tensor(3), num_classes=10).float()
via_matmul = one_hot @ embedding.weight
via_lookup = embedding(torch.tensor(3))
via_matmul_all = torch.eye(10) @ embedding.weight
via_lookup_all = embedding(torch.arange(10))
