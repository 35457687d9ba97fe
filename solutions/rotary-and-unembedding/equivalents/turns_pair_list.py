# precompute_freqs_cis: a list of both
# A list [cos, sin], by einsum and in float64 on the way.
def precompute_freqs_cis(dim, end, theta):
    pairs = torch.arange(dim // 2, dtype=torch.float64)
    positions = torch.arange(end, dtype=torch.float64)
    angles = torch.einsum("p,i->pi", positions, theta ** (-2 * pairs / dim))
    return [angles.cos().float(), angles.sin().float()]
