# apply_rotary_emb: complex multiplication
# As in LLaMA: float32, view_as_complex, one product.
def apply_rotary_emb(x, freqs_cis):
    pairs = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
    turned = torch.view_as_real(pairs * freqs_cis[None, :, None, :]).flatten(3)
    return turned.type_as(x)
