# lookup_embedding: rows counted from 1
# You took the previous row. Ids and rows are both counted from 0.
def lookup_embedding(token_id, table):
    return table[token_id - 1]
