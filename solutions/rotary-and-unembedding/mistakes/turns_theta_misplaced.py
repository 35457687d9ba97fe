# precompute_freqs_cis: the position is in the exponent of theta
# Your position is in the exponent of theta. The exponent belongs only to the frequency, one number
# per pair; then multiply the position by the frequency.
def precompute_freqs_cis(dim, end, theta):
    exponents = torch.outer(torch.arange(end), -torch.arange(0, dim, 2) / dim)
    angles = theta**exponents
    return torch.polar(torch.ones_like(angles), angles)
