# precompute_freqs_cis: angles in half precision
# Your angles were stored in a dtype with few digits (bfloat16 or float16). Angles of more than a
# few radians need float32.
def precompute_freqs_cis(dim, end, theta):
    frequencies = theta ** (-torch.arange(0, dim, 2) / dim)
    angles = torch.outer(torch.arange(end), frequencies).bfloat16().float()
    return torch.polar(torch.ones_like(angles), angles)
