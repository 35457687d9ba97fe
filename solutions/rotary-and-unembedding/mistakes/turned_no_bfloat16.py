# apply_rotary_emb: cannot take bfloat16
# view_as_complex does not support bfloat16, and complex numbers in half precision are poorly
# supported. Convert to float32, and back at the end.
def apply_rotary_emb(x, freqs_cis):
    pairs = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2))
    turned = pairs * freqs_cis.unsqueeze(1)
    return torch.view_as_real(turned).flatten(3).to(x.dtype)
