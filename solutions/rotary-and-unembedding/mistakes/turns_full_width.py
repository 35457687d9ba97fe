# precompute_freqs_cis: a frequency for every column
# You computed a frequency for every number of the vector. The two numbers of a pair share one
# frequency, so there are dim/2 of them.
def precompute_freqs_cis(dim, end, theta):
    frequencies = theta ** (-torch.arange(0, dim) / dim)
    angles = torch.outer(torch.arange(end), frequencies)
    return torch.polar(torch.ones_like(angles), angles)
