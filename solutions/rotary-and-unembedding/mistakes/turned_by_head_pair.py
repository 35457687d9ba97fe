# apply_rotary_emb: rotated by the number of the head, with a pair
# You added two axes in front of the cosines and sines, so their rows were aligned with the heads
# and not the positions. The rows belong to axis 1 of x.
def apply_rotary_emb(x, freqs_cis):
    cos, sin = freqs_cis
    cos, sin = cos[None, None, :, :], sin[None, None, :, :]
    first, second = x[..., 0::2], x[..., 1::2]
    turned = torch.stack((first * cos - second * sin, first * sin + second * cos), dim=-1)
    return turned.flatten(3).to(x.dtype)
