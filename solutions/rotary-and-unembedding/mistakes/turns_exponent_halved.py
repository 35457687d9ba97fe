# precompute_freqs_cis: exponent i/D instead of 2i/D
# Your frequencies decrease too slowly: the exponent of pair i is 2i/D, not i/D. Look at the last
# pair, whose frequency should be nearly 1/theta.
def precompute_freqs_cis(dim, end, theta):
    frequencies = theta ** (-torch.arange(0, dim // 2) / dim)
    angles = torch.outer(torch.arange(end), frequencies)
    return torch.polar(torch.ones_like(angles), angles)
