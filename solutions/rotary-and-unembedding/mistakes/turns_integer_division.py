# precompute_freqs_cis: integer division in the exponent
# All your pairs turn at the same speed: an integer division made every exponent 0 (or -1). Divide
# with a single slash.
def precompute_freqs_cis(dim, end, theta):
    frequencies = theta ** -(torch.arange(0, dim, 2) // dim).float()
    angles = torch.outer(torch.arange(end), frequencies)
    return torch.polar(torch.ones_like(angles), angles)
