# apply_rotary_emb: all first numbers, then all second numbers
# You rotated the right pairs, but put all their first numbers first and all their second numbers
# after them. A rotated pair takes the place of the original pair.
def apply_rotary_emb(x, freqs_cis):
    cos, sin = freqs_cis.real.unsqueeze(1), freqs_cis.imag.unsqueeze(1)
    first, second = x[..., 0::2], x[..., 1::2]
    turned = torch.cat((first * cos - second * sin, first * sin + second * cos), dim=-1)
    return turned.to(x.dtype)
