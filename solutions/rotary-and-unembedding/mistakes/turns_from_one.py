# precompute_freqs_cis: positions are counted from 1
# Your row 0 is already rotated. Positions are counted from 0, and position 0 has the angle 0 in
# every pair.
def precompute_freqs_cis(dim, end, theta):
    frequencies = theta ** (-torch.arange(0, dim, 2) / dim)
    angles = torch.outer(torch.arange(1, end + 1), frequencies)
    return torch.polar(torch.ones_like(angles), angles)
