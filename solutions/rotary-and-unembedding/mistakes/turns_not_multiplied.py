# precompute_freqs_cis: added instead of multiplied
# You added position and frequency. The angle is their product: position p turns p times as far as
# position 1.
def precompute_freqs_cis(dim, end, theta):
    frequencies = theta ** (-torch.arange(0, dim, 2) / dim)
    angles = torch.arange(end)[:, None] + frequencies
    return torch.polar(torch.ones_like(angles), angles)
