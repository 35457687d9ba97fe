# manual_lookup: the result is on the CPU
# Your result is on the CPU wherever the inputs are: you filled a tensor that was created without
# `device=`, or moved the result there. It should be where the matrix is.
def manual_lookup(matrix, token_ids):
    result = torch.zeros(token_ids.numel(), matrix.shape[1])
    for place, i in enumerate(token_ids.flatten().tolist()):
        result[place] = matrix[i]
    return result.reshape(*token_ids.shape, -1)
