# manual_lookup: columns instead of rows
# You took columns. The first axis of the matrix is the token, so a token's vector is a row.
def manual_lookup(matrix, token_ids):
    return matrix.T[token_ids % matrix.shape[1]]
