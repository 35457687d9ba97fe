# manual_lookup: a new random table
# Your vectors come from a new nn.Embedding with random numbers. Look the ids up in the matrix
# that is given.
def manual_lookup(matrix, token_ids):
    layer = nn.Embedding(matrix.shape[0], matrix.shape[1])
    return layer(token_ids)
