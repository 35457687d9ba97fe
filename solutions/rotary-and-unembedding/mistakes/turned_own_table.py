# apply_rotary_emb: creates a table of its own
# You computed angles yourself, from position 0 and with a base of 10000. Use the rows that are
# passed: they may start at another position or have another base.
def apply_rotary_emb(x, freqs_cis):
    own = precompute_freqs_cis(x.shape[3], x.shape[1], 10000.0).to(x.device)
    cos, sin = own.real.unsqueeze(1), own.imag.unsqueeze(1)
    first, second = x[..., 0::2], x[..., 1::2]
    turned = torch.stack((first * cos - second * sin, first * sin + second * cos), dim=-1)
    return turned.flatten(3).to(x.dtype)
