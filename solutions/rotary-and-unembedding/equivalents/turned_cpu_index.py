# apply_rotary_emb: columns by numbers on the CPU
# Indexing takes numbers from the CPU on every device, unlike index_select.
def apply_rotary_emb(x, freqs_cis):
    cos, sin = freqs_cis.real.unsqueeze(1), freqs_cis.imag.unsqueeze(1)
    even = torch.arange(0, x.shape[-1], 2)
    first, second = x[..., even], x[..., even + 1]
    turned = torch.empty_like(x)
    turned[..., even] = (first * cos - second * sin).to(x.dtype)
    turned[..., even + 1] = (first * sin + second * cos).to(x.dtype)
    return turned
