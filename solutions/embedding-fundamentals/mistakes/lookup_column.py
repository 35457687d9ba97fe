# lookup_embedding: a column of the table
# You took a column. The table has one row per token: the id selects a row.
def lookup_embedding(token_id, table):
    return table[:, token_id % table.shape[1]]
