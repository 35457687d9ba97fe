# precompute_freqs_cis: rotates the other way
# Your angles are negative: the table rotates clockwise, as nanochat does today. Here it rotates
# counterclockwise, so the imaginary part is +sin.
def precompute_freqs_cis(dim, end, theta):
    frequencies = theta ** (-torch.arange(0, dim, 2) / dim)
    angles = torch.outer(torch.arange(end), frequencies)
    return torch.polar(torch.ones_like(angles), -angles)
