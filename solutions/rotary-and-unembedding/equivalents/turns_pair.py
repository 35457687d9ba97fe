# precompute_freqs_cis: a pair of cosines and sines
# Real numbers in two tables of half the width.
def precompute_freqs_cis(dim, end, theta=10000.0):
    freqs = torch.exp(-math.log(theta) * torch.arange(0, dim, 2).float() / dim)
    angles = torch.arange(end).float()[:, None] * freqs[None, :]
    return torch.cos(angles), torch.sin(angles)
