# one_hot_equivalence: ids on an accelerator become a NumPy array
# You turn the ids into a NumPy array, but NumPy cannot read memory of an accelerator. Use the
# tensor of ids.
def one_hot_lookup(weight, token_ids):
    one_hot_rows = torch.from_numpy(np.eye(weight.shape[0], dtype=np.float32)[token_ids.numpy()])
    return one_hot_rows.to(weight.device) @ weight


one_hot = F.one_hot(torch.tensor(3), num_classes=10).float()
via_matmul = one_hot @ embedding.weight
via_lookup = embedding(torch.tensor(3))
via_matmul_all = torch.eye(10) @ embedding.weight
via_lookup_all = embedding(torch.arange(10))
