# manual_lookup: a loop over the ids
# Rows are picked one by one and stacked, axis by axis.
def manual_lookup(matrix, token_ids):
    if token_ids.dim() > 1:
        return torch.stack([manual_lookup(matrix, row) for row in token_ids])
    return torch.stack([matrix[i] for i in token_ids.tolist()])
