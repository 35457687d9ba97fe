# apply_rotary_emb: float32 for a single position
# For a single position you return before the result is turned back into the type of x. It has the
# type of x whatever the length.
def apply_rotary_emb(x, freqs_cis):
    cos, sin = (table.unsqueeze(1) for table in cos_and_sin(freqs_cis))
    first, second = x[..., 0::2], x[..., 1::2]
    turned = torch.stack((first * cos - second * sin, first * sin + second * cos), dim=-1).flatten(3)
    if x.shape[1] == 1:
        return turned
    return turned.to(x.dtype)
