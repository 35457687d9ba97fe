# manual_lookup: float64 vectors
# Your vectors are float64, twice as large as the matrix's numbers. Keep the dtype of the matrix.
def manual_lookup(matrix, token_ids):
    one_hot = F.one_hot(token_ids, num_classes=matrix.shape[0]).double()
    return one_hot @ matrix.double()
