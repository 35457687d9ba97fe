# apply_rotary_emb: float64 inside
# complex128 on the way, cast at the end.
def apply_rotary_emb(x, freqs_cis):
    pairs = x.double().reshape(*x.shape[:-1], x.shape[-1] // 2, 2).contiguous()
    pairs = torch.view_as_complex(pairs)
    turned = pairs * freqs_cis.to(torch.complex128).unsqueeze(0).unsqueeze(2)
    return torch.view_as_real(turned).reshape(x.shape).to(x.dtype)
