# precompute_freqs_cis: theta is not used
# You compute with a base of 10000 whatever theta is. Use the number that is passed; models for long
# texts use a larger one.
def precompute_freqs_cis(dim, end, theta):
    frequencies = 10000.0 ** (-torch.arange(0, dim, 2) / dim)
    angles = torch.outer(torch.arange(end), frequencies)
    return torch.polar(torch.ones_like(angles), angles)
