# apply_rotary_emb: takes a pair (cos, sin)
# The other accepted signature.
def apply_rotary_emb(x, freqs):
    cos, sin = freqs
    cos, sin = cos[None, :, None, :], sin[None, :, None, :]
    x0, x1 = x[..., ::2].float(), x[..., 1::2].float()
    return torch.stack([x0 * cos - x1 * sin, x0 * sin + x1 * cos], dim=-1).flatten(-2).to(x.dtype)
