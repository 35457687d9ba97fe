# precompute_freqs_cis: nested loops
# One number at a time, with the math module.
def precompute_freqs_cis(dim, end, theta):
    table = torch.zeros(end, dim // 2, dtype=torch.complex64)
    for i in range(dim // 2):
        frequency = 1.0 / theta ** (2 * i / dim)
        for p in range(end):
            table[p, i] = complex(math.cos(p * frequency), math.sin(p * frequency))
    return table
