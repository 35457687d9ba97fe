# precompute_freqs_cis: sine and cosine swapped
# You put the sine where the cosine belongs. The real part is the cosine: at position 0 it is 1,
# and the imaginary part is 0.
def precompute_freqs_cis(dim, end, theta):
    frequencies = theta ** (-torch.arange(0, dim, 2) / dim)
    angles = torch.outer(torch.arange(end), frequencies)
    return torch.complex(torch.sin(angles), torch.cos(angles))
