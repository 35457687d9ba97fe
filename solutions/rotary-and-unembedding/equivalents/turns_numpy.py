# precompute_freqs_cis: NumPy, then a tensor
# float64 in NumPy and complex64 from it.
def precompute_freqs_cis(dim, end, theta):
    freqs = np.power(float(theta), -np.arange(0, dim, 2) / dim)
    angles = np.outer(np.arange(end), freqs)
    return torch.from_numpy(np.exp(1j * angles).astype(np.complex64))
