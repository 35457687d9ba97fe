# apply_rotary_emb: the sine terms are missing
# You multiplied only by the cosine. A rotation mixes the two numbers of a pair: the sine adds a
# share of the other number to each, and without it the norm changes.
def apply_rotary_emb(x, freqs_cis):
    cos, sin = freqs_cis.real.unsqueeze(1), freqs_cis.imag.unsqueeze(1)
    first, second = x[..., 0::2], x[..., 1::2]
    turned = torch.stack((first * cos, second * cos), dim=-1)
    return turned.flatten(3).to(x.dtype)
