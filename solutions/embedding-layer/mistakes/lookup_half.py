# manual_lookup: float16 vectors
# Your vectors are float16, which keeps three digits. Leave the numbers in the matrix's type.
def manual_lookup(matrix, token_ids):
    return matrix.half()[token_ids]
