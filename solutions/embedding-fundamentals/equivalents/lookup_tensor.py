# lookup_embedding: a tensor
# The row as a float32 tensor.
def lookup_embedding(token_id, table):
    return torch.tensor(table, dtype=torch.float32)[token_id, :]
