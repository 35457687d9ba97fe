# manual_lookup: flattens the ids
# You flattened the ids, so a batch becomes one long list of vectors. Ids of shape [B, T] should
# give [B, T, D].
def manual_lookup(matrix, token_ids):
    return matrix[token_ids.flatten()]
