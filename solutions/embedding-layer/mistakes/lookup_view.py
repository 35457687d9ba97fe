# manual_lookup: flattened by view
# `token_ids.view(-1)` works only if the ids are contiguous in memory, and a transposed batch is
# not: use `flatten()` or `reshape(-1)`.
def manual_lookup(matrix, token_ids):
    return torch.stack([matrix[i] for i in token_ids.view(-1)]).view(*token_ids.shape, -1)
