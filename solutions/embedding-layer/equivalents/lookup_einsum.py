# manual_lookup: einsum with rows of an identity matrix
# The product is written as einsum, in float64 and cast.
def manual_lookup(matrix, token_ids):
    eye = torch.eye(len(matrix), dtype=torch.float64)
    return torch.einsum("...v,vd->...d", eye[token_ids], matrix.double()).float()
