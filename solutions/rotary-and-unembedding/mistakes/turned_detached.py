# apply_rotary_emb: no gradient
# Your numbers are right, but the result is detached from x, so nothing before it can be trained.
# Leave out detach, NumPy and torch.no_grad.
def apply_rotary_emb(x, freqs_cis):
    cos, sin = freqs_cis.real.unsqueeze(1), freqs_cis.imag.unsqueeze(1)
    first, second = x.detach()[..., 0::2], x.detach()[..., 1::2]
    turned = torch.stack((first * cos - second * sin, first * sin + second * cos), dim=-1)
    return turned.flatten(3).to(x.dtype)
