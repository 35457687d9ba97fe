# apply_rotary_emb: halves in, neighbours out
# You paired the first half of a vector with its second half, but put the rotated pairs side by
# side. Pairs are neighbours in the input and in the result.
def apply_rotary_emb(x, freqs_cis):
    c, s = freqs_cis.real[None, :, None, :], freqs_cis.imag[None, :, None, :]
    a, b = x.float().chunk(2, -1)
    return torch.stack([a * c - b * s, a * s + b * c], -1).flatten(3).type_as(x)
