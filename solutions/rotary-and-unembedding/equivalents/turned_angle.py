# apply_rotary_emb: angle and length
# Each pair as angle and length; the angles are added.
def apply_rotary_emb(x, freqs_cis):
    pairs = x.float().reshape(*x.shape[:-1], -1, 2)
    a, b = pairs[..., 0], pairs[..., 1]
    length, angle = torch.hypot(a, b), torch.atan2(b, a) + freqs_cis.angle()[:, None]
    return torch.stack((length * angle.cos(), length * angle.sin()), -1).flatten(3).to(x.dtype)
