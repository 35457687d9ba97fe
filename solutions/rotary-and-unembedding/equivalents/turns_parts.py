# precompute_freqs_cis: torch.complex of both parts
# cos and sin in float32, then torch.complex.
def precompute_freqs_cis(dim, end, theta):
    inverse = torch.pow(torch.tensor(theta), -torch.arange(0, dim, 2, dtype=torch.float32).div(dim))
    angles = torch.arange(end, dtype=torch.float32).unsqueeze(1).mul(inverse)
    return torch.complex(angles.cos(), angles.sin())
