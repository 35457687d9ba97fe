# manual_lookup: einsum with rows of an identity matrix
# The product is written as einsum, in float64 on the CPU, and moved back.
def manual_lookup(matrix, token_ids):
    eye = torch.eye(len(matrix), dtype=torch.float64)
    exact = torch.einsum("...v,vd->...d", eye[token_ids.cpu()], matrix.cpu().double())
    return exact.to(matrix)
