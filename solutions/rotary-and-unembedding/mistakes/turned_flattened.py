# apply_rotary_emb: heads merged
# You flattened one axis too many: heads and their widths became one axis. The result has the shape
# of x.
def apply_rotary_emb(x, freqs_cis):
    cos, sin = freqs_cis.real.unsqueeze(1), freqs_cis.imag.unsqueeze(1)
    first, second = x[..., 0::2], x[..., 1::2]
    turned = torch.stack((first * cos - second * sin, first * sin + second * cos), dim=-1)
    return turned.flatten(2).to(x.dtype)
