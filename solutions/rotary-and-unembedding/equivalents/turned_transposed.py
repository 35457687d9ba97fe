# apply_rotary_emb: positions moved next to the pairs
# [B, H, T, Dh] inside, as attention has it.
def apply_rotary_emb(x, freqs_cis):
    y = x.transpose(1, 2)
    cos, sin = freqs_cis.real.to(x.dtype), freqs_cis.imag.to(x.dtype)
    even, odd = y[..., 0::2], y[..., 1::2]
    turned = torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1)
    return turned.flatten(-2).transpose(1, 2)
