# precompute_freqs_cis: a complex128 table
# Your numbers are right, but the table is complex128. Computing in double precision is fine;
# return complex64.
def precompute_freqs_cis(dim, end, theta):
    frequencies = theta ** (-torch.arange(0, dim, 2, dtype=torch.float64) / dim)
    angles = torch.outer(torch.arange(end, dtype=torch.float64), frequencies)
    return torch.polar(torch.ones_like(angles), angles)
