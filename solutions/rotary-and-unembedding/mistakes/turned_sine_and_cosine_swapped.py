# apply_rotary_emb: sine and cosine swapped
# You swapped sine and cosine. At position 0 the sine is 0 and the cosine is 1, so position 0 does
# not change.
def apply_rotary_emb(x, freqs_cis):
    sin, cos = freqs_cis.real.unsqueeze(1), freqs_cis.imag.unsqueeze(1)
    first, second = x[..., 0::2], x[..., 1::2]
    turned = torch.stack((first * cos - second * sin, first * sin + second * cos), dim=-1)
    return turned.flatten(3).to(x.dtype)
