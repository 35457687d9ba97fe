# apply_rotary_emb: the dtype of x is lost
# Your result is float32 (or wider) whatever x is. A half precision x times a float32 table is
# float32: convert the result back to the dtype of x.
def apply_rotary_emb(x, freqs_cis):
    cos, sin = freqs_cis.real.unsqueeze(1), freqs_cis.imag.unsqueeze(1)
    first, second = x[..., 0::2], x[..., 1::2]
    turned = torch.stack((first * cos - second * sin, first * sin + second * cos), dim=-1)
    return turned.flatten(3)
