# manual_lookup: no gradient to the matrix
# Your numbers are right, but they are cut off from the matrix, so training could never move it.
# Leave out detach, .data and torch.no_grad, and do not go through NumPy or lists of numbers.
def manual_lookup(matrix, token_ids):
    with torch.no_grad():
        return matrix[token_ids]
