# precompute_freqs_cis: axes of length 1 are removed
# You squeezed the table. A table of one position or of one pair still has two axes.
def precompute_freqs_cis(dim, end, theta):
    frequencies = theta ** (-torch.arange(0, dim, 2, dtype=torch.float64) / dim)
    angles = torch.outer(torch.arange(end, dtype=torch.float64), frequencies)
    return torch.polar(torch.ones_like(angles), angles).to(torch.complex64).squeeze()
