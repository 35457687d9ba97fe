# manual_lookup: new ids on the CPU
# You created a new tensor of the ids on the CPU, and look them up in a matrix that may be
# elsewhere. Use `device=matrix.device`, or use the ids as they are.
def manual_lookup(matrix, token_ids):
    ids = torch.tensor(token_ids.tolist())
    return F.embedding(ids, matrix)
