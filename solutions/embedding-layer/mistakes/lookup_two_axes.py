# manual_lookup: ids of two axes at most
# You go through the ids of a sentence and of a batch. Ids may have three axes and more: index with
# the whole tensor, or flatten the ids and give the result their shape again.
def manual_lookup(matrix, token_ids):
    if token_ids.dim() == 1:
        return torch.stack([matrix[int(i)] for i in token_ids])
    return torch.stack([torch.stack([matrix[int(i)] for i in row]) for row in token_ids])
