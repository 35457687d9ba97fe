# lookup_embedding: the row is scaled to length 1
# You divided the row by its length. A lookup returns the row as it is in the table.
def lookup_embedding(token_id, table):
    return table[token_id] / np.linalg.norm(table[token_id])
