# manual_lookup: one-hot vectors as long as the largest id
# F.one_hot(token_ids) makes vectors of the largest id plus one numbers; where the last row is not
# asked for, they do not fit the matrix. Say how many rows there are: F.one_hot(token_ids, V).
def manual_lookup(matrix, token_ids):
    return F.one_hot(token_ids.long()).float() @ matrix
