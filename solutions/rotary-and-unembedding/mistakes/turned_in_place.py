# apply_rotary_emb: writes into x
# You wrote the result into x. The caller still needs x, and the second formula then reads a number
# that the first has overwritten. Create a new tensor.
def apply_rotary_emb(x, freqs_cis):
    cos, sin = freqs_cis.real.unsqueeze(1), freqs_cis.imag.unsqueeze(1)
    x[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
    x[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
    return x
