# precompute_freqs_cis: both in one tensor
# One tensor [2, end, dim/2], which unpacks into cosines and sines.
def precompute_freqs_cis(dim, end, theta):
    freqs = theta ** (-torch.arange(0, dim, 2) / dim)
    angles = torch.arange(end)[:, None] * freqs
    return torch.stack((angles.cos(), angles.sin()))
