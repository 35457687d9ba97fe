# precompute_freqs_cis: one row per pair
# Your table has a row for each pair and a column for each position. It should be the other way
# round: shape [end, dim/2].
def precompute_freqs_cis(dim, end, theta):
    frequencies = theta ** (-torch.arange(0, dim, 2) / dim)
    angles = torch.outer(frequencies, torch.arange(end))
    return torch.polar(torch.ones_like(angles), angles)
