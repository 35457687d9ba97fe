# apply_rotary_emb: takes either form
# Inspects its arguments.
def apply_rotary_emb(x, freqs_cis, *, copy=True):
    if torch.is_tensor(freqs_cis) and freqs_cis.is_complex():
        cos, sin = freqs_cis.real, freqs_cis.imag
    else:
        cos, sin = freqs_cis
    cos = cos.view(1, x.shape[1], 1, -1)
    sin = sin.view(1, x.shape[1], 1, -1)
    a, b = x.unflatten(-1, (-1, 2)).unbind(-1)
    out = torch.empty_like(x)
    out[..., 0::2] = a * cos - b * sin
    out[..., 1::2] = a * sin + b * cos
    return out
