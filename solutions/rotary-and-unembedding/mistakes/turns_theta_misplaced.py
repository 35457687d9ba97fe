# precompute_freqs_cis: the position stands in the exponent of theta
# Your position stands in the exponent of theta. The exponent belongs to the frequency alone, one
# number per pair; the position is then multiplied with it.
def precompute_freqs_cis(dim, end, theta):
    exponents = torch.outer(torch.arange(end), -torch.arange(0, dim, 2) / dim)
    angles = theta**exponents
    return torch.polar(torch.ones_like(angles), angles)
