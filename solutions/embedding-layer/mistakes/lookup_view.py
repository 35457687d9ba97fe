# manual_lookup: flattened by view
# `token_ids.view(-1)` works only where the ids lie in memory in their order, and a transposed
# batch does not: use `flatten()` or `reshape(-1)`.
def manual_lookup(matrix, token_ids):
    return torch.stack([matrix[i] for i in token_ids.view(-1)]).view(*token_ids.shape, -1)
