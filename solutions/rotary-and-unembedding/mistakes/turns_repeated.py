# precompute_freqs_cis: every frequency twice, as a table of width D
# Your table is as wide as the vector, with each frequency twice, as in some libraries. Here it has
# one column per pair: width dim/2.
def precompute_freqs_cis(dim, end, theta):
    frequencies = theta ** (-torch.arange(0, dim, 2) / dim)
    frequencies = torch.cat((frequencies, frequencies))
    angles = torch.outer(torch.arange(end), frequencies)
    return torch.cos(angles), torch.sin(angles)
