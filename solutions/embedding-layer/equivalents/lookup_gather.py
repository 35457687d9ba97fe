# manual_lookup: gather along the rows
# The ids are spread over all columns.
def manual_lookup(matrix, token_ids):
    flat = token_ids.reshape(-1, 1).expand(-1, matrix.shape[1])
    return matrix.gather(0, flat).reshape(token_ids.shape + matrix.shape[1:])
