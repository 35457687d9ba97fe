# apply_rotary_emb: halves in, neighbours out
# You took the first half of a vector with its second half, but laid the turned pairs side by side.
# Pairs are neighbours on the way in and on the way out.
def apply_rotary_emb(x, freqs_cis):
    c, s = freqs_cis.real[None, :, None, :], freqs_cis.imag[None, :, None, :]
    a, b = x.float().chunk(2, -1)
    return torch.stack([a * c - b * s, a * s + b * c], -1).flatten(3).type_as(x)
