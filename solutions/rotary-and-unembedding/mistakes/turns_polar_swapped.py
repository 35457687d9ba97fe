# precompute_freqs_cis: length and angle swapped
# You gave the angles as lengths and 1 as the angle. The length of every entry is 1; the angle is
# what changes.
def precompute_freqs_cis(dim, end, theta):
    frequencies = theta ** (-torch.arange(0, dim, 2) / dim)
    angles = torch.outer(torch.arange(end), frequencies)
    return torch.polar(angles, torch.ones_like(angles))
