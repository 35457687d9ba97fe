# apply_rotary_emb: made inside `with x.device`
# Without device= anywhere; the context says where tensors are made.
def apply_rotary_emb(x, freqs_cis):
    with x.device:
        turned = torch.zeros(x.shape, dtype=torch.promote_types(x.dtype, torch.float32))
        sign = torch.tensor([-1.0, 1.0])
    pairs = x.unflatten(-1, (-1, 2))
    cos, sin = freqs_cis.real[:, None, :, None], freqs_cis.imag[:, None, :, None]
    turned += (pairs * cos + sign * pairs[..., [1, 0]] * sin).flatten(3)
    return turned.to(x.dtype)
