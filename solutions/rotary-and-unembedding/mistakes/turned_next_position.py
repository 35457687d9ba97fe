# apply_rotary_emb: rotated by the next position
# You rotated position p by the angle of position p + 1. Row t of the table belongs to position t,
# and position 0 stays as it is.
def apply_rotary_emb(x, freqs_cis):
    freqs_cis = torch.roll(freqs_cis, -1, dims=0)
    cos, sin = freqs_cis.real.unsqueeze(1), freqs_cis.imag.unsqueeze(1)
    first, second = x[..., 0::2], x[..., 1::2]
    turned = torch.stack((first * cos - second * sin, first * sin + second * cos), dim=-1)
    return turned.flatten(3).to(x.dtype)
