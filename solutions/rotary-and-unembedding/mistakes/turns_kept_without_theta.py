# precompute_freqs_cis: cached by only two of its arguments
# You cache tables by dim and end only. The same sizes with another theta get the table of the first
# call; theta belongs in the key, too.
KNOWN_TURNS = {}


def precompute_freqs_cis(dim, end, theta):
    if (dim, end) not in KNOWN_TURNS:
        frequencies = theta ** (-torch.arange(0, dim, 2) / dim)
        angles = torch.outer(torch.arange(end), frequencies)
        KNOWN_TURNS[dim, end] = torch.polar(torch.ones_like(angles), angles)
    return KNOWN_TURNS[dim, end]
