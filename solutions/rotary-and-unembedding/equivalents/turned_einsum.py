# apply_rotary_emb: rotation matrices and einsum
# A 2x2 matrix for every position and pair.
def apply_rotary_emb(x, freqs_cis):
    cos, sin = freqs_cis.real, freqs_cis.imag
    matrices = torch.stack((torch.stack((cos, -sin), -1), torch.stack((sin, cos), -1)), -2)
    pairs = x.to(matrices.dtype).reshape(*x.shape[:3], -1, 2)
    return torch.einsum("tiac,bthic->bthia", matrices, pairs).reshape(x.shape).to(x.dtype)
