# manual_lookup: ids counted from 1
# You subtract 1 from the ids. Ids and rows are both counted from 0, so id 3 is row 3. (Id 0
# became -1, which is the last row.)
def manual_lookup(matrix, token_ids):
    return matrix[token_ids - 1]
