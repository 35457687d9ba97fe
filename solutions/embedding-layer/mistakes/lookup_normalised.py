# manual_lookup: rows brought to length 1
# You brought the rows to length 1. A lookup copies a row as it stands in the table.
def manual_lookup(matrix, token_ids):
    return F.normalize(matrix[token_ids], dim=-1)
