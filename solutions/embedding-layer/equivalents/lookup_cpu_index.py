# manual_lookup: indexed with ids on the CPU
# Ids on the CPU may index a matrix anywhere; the result is where the matrix is.
def manual_lookup(matrix, token_ids):
    return matrix[token_ids.cpu()]
