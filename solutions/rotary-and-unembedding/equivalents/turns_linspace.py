# precompute_freqs_cis: logspace
# Frequencies by logspace.
def precompute_freqs_cis(dim, end, theta):
    freqs = torch.logspace(0, -1 + 2 / dim, dim // 2, base=theta, dtype=torch.float64)
    angles = torch.outer(torch.arange(end, dtype=torch.float64), freqs)
    return torch.view_as_complex(torch.stack((angles.cos(), angles.sin()), dim=-1).float())
