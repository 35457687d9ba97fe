# precompute_freqs_cis: returns the angles
# You returned the angles themselves. Return cos(angle) + i·sin(angle), or the pair of cosine and
# sine.
def precompute_freqs_cis(dim, end, theta):
    frequencies = theta ** (-torch.arange(0, dim, 2) / dim)
    angles = torch.outer(torch.arange(end), frequencies)
    return angles
