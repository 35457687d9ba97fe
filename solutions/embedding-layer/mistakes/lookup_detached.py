# manual_lookup: no gradient to the matrix
# Your numbers are right, but they are detached from the matrix, so training cannot change it. Leave
# out detach, .data and torch.no_grad, and do not convert to NumPy or lists in between.
def manual_lookup(matrix, token_ids):
    with torch.no_grad():
        return matrix[token_ids]
