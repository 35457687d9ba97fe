# apply_rotary_emb: rotation matrices without a device
# Your rotation matrices are on the CPU: `torch.zeros(...)` without `device=` is created there, and
# stays there when cosines and sines are written into it. Create it where `x` is.
def apply_rotary_emb(x, freqs_cis):
    cos, sin = cos_and_sin(freqs_cis)
    matrices = torch.zeros(*cos.shape, 2, 2)
    matrices[..., 0, 0], matrices[..., 0, 1] = cos, -sin
    matrices[..., 1, 0], matrices[..., 1, 1] = sin, cos
    pairs = x.to(matrices.dtype).unflatten(-1, (-1, 2))
    return torch.einsum("tiac,bthic->bthia", matrices, pairs).flatten(3).to(x.dtype)
