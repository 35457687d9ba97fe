# apply_rotary_emb: repeated tables and a quarter turn
# cos and sin for each column; the other term is x rotated by a quarter turn.
def rotate_pairs(x):
    return torch.stack((-x[..., 1::2], x[..., ::2]), dim=-1).flatten(-2)


def apply_rotary_emb(x, freqs_cis):
    cos = freqs_cis.real.repeat_interleave(2, dim=-1)[:, None]
    sin = freqs_cis.imag.repeat_interleave(2, dim=-1)[:, None]
    return (x * cos + rotate_pairs(x) * sin).to(x.dtype)
