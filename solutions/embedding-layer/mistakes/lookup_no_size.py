# manual_lookup: one-hot vectors as long as the largest id
# F.one_hot(token_ids) makes vectors of length (largest id + 1); if the last row is not used, they
# do not fit the matrix. Pass the number of rows: F.one_hot(token_ids, V).
def manual_lookup(matrix, token_ids):
    return F.one_hot(token_ids.long()).float() @ matrix
