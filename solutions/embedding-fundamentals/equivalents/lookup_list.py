# lookup_embedding: a list
# The row as a plain list.
def lookup_embedding(token_id, table):
    return [float(number) for number in table[token_id]]
