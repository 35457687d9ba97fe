# lookup_embedding: one number of the row
# You returned a single number. The vector of a token is its whole row.
def lookup_embedding(token_id, table):
    return table[token_id][0]
