# apply_rotary_emb: right, but x is changed
# Your numbers are right, but x itself was changed. The caller still needs it: copy it first.
def apply_rotary_emb(x, freqs_cis):
    cos, sin = freqs_cis.real.unsqueeze(1), freqs_cis.imag.unsqueeze(1)
    first, second = x[..., 0::2].detach().clone(), x[..., 1::2].detach().clone()
    x.detach()[..., 0::2] = (first * cos - second * sin).to(x.dtype)
    x.detach()[..., 1::2] = (first * sin + second * cos).to(x.dtype)
    return x
