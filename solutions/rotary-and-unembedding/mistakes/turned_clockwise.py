# apply_rotary_emb: rotates the other way
# Your pairs rotate clockwise, as in nanochat today: the signs of the two sines are swapped. The
# minus sign belongs to the first number of the pair.
def apply_rotary_emb(x, freqs_cis):
    cos, sin = freqs_cis.real.unsqueeze(1), freqs_cis.imag.unsqueeze(1)
    first, second = x[..., 0::2], x[..., 1::2]
    turned = torch.stack((first * cos + second * sin, second * cos - first * sin), dim=-1)
    return turned.flatten(3).to(x.dtype)
