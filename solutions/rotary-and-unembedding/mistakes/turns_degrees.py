# precompute_freqs_cis: degrees instead of radians
# You treated the angles as degrees and converted them. They are already radians: pair 0 turns by
# one radian per position.
def precompute_freqs_cis(dim, end, theta):
    frequencies = theta ** (-torch.arange(0, dim, 2) / dim)
    angles = torch.deg2rad(torch.outer(torch.arange(end), frequencies))
    return torch.polar(torch.ones_like(angles), angles)
