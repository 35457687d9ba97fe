# precompute_freqs_cis: a complex exponential
# exp(i·angle) in complex128, cast at the end.
def precompute_freqs_cis(dim, end, theta):
    pairs = torch.arange(dim // 2, dtype=torch.float64)
    angles = torch.arange(end, dtype=torch.float64)[:, None] / theta ** (2 * pairs / dim)
    return torch.exp(1j * angles).to(torch.complex64)
