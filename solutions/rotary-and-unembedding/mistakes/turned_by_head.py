# apply_rotary_emb: rotated by the number of the head
# You added two axes in front of the table, so its rows were aligned with the heads and not the
# positions. If T differs from H, that raises an error; if T equals H, it silently rotates by the
# head. The rows belong to axis 1 of x.
def apply_rotary_emb(x, freqs_cis):
    pairs = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
    turned = pairs * freqs_cis[None, None, :, :]
    return torch.view_as_real(turned).flatten(3).to(x.dtype)
