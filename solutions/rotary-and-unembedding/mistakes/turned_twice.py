# apply_rotary_emb: rotated by twice the angle
# You rotated every pair twice, so the angle is doubled. One multiplication by the table is enough.
def apply_rotary_emb(x, freqs_cis):
    freqs_cis = freqs_cis**2
    cos, sin = freqs_cis.real.unsqueeze(1), freqs_cis.imag.unsqueeze(1)
    first, second = x[..., 0::2], x[..., 1::2]
    turned = torch.stack((first * cos - second * sin, first * sin + second * cos), dim=-1)
    return turned.flatten(3).to(x.dtype)
