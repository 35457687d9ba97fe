# precompute_freqs_cis: theta to the power +2i/D
# Your exponent lost its minus sign, so the frequencies grow from pair to pair. Pair 0 turns by one
# radian per position, and later pairs turn more slowly.
def precompute_freqs_cis(dim, end, theta):
    frequencies = theta ** (torch.arange(0, dim, 2) / dim)
    angles = torch.outer(torch.arange(end), frequencies)
    return torch.polar(torch.ones_like(angles), angles)
