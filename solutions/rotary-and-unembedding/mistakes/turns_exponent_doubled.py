# precompute_freqs_cis: exponent 4i/D: the factor 2 is there twice
# Your frequencies decrease too fast: the 2 of 2i/D is there twice, once in the steps of two and
# once as a factor.
def precompute_freqs_cis(dim, end, theta):
    frequencies = theta ** (-2 * torch.arange(0, dim, 2) / dim)
    angles = torch.outer(torch.arange(end), frequencies)
    return torch.polar(torch.ones_like(angles), angles)
