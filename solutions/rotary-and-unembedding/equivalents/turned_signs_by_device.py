# apply_rotary_emb: signs that are kept for each device
# A cache whose key is the device; neighbours are flipped.
_signs = {}


def signs_on(device):
    if device not in _signs:
        _signs[device] = torch.tensor([-1.0, 1.0], device=device)
    return _signs[device]


def apply_rotary_emb(x, freqs_cis):
    pairs = x.unflatten(-1, (-1, 2))
    cos, sin = freqs_cis.real[:, None, :, None], freqs_cis.imag[:, None, :, None]
    return (pairs * cos + signs_on(x.device) * pairs.flip(-1) * sin).flatten(-2).to(x.dtype)
