# manual_lookup: rows scaled to length 1
# You scaled the rows to length 1. A lookup copies a row as it is in the table.
def manual_lookup(matrix, token_ids):
    return F.normalize(matrix[token_ids], dim=-1)
