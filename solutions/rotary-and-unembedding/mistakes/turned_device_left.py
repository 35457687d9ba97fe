# apply_rotary_emb: the result is left on the CPU
# Your result is on the CPU, wherever `x` is: `torch.zeros(...)` without `device=` is created there,
# and writing into it does not move it. Use torch.empty_like(x), or device=x.device.
def apply_rotary_emb(x, freqs_cis):
    cos, sin = (table.unsqueeze(1) for table in cos_and_sin(freqs_cis))
    first, second = x[..., 0::2], x[..., 1::2]
    turned = torch.zeros(x.shape, dtype=x.dtype)
    turned[..., 0::2] = first * cos - second * sin
    turned[..., 1::2] = first * sin + second * cos
    return turned
