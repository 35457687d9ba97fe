# apply_rotary_emb: only the real part is kept
# You kept only the real part of the rotated pairs, so half of the numbers are lost. Both parts go
# back into the vector, side by side.
def apply_rotary_emb(x, freqs_cis):
    pairs = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
    return (pairs * freqs_cis.unsqueeze(1)).real.to(x.dtype)
