# cosine_similarity: np.linalg.norm
# NumPy in float64; a tensor is moved to the CPU first. A parameter for the value at zero.
def cosine_similarity(a, b, when_zero=0.0):
    a, b = (v.cpu() if isinstance(v, torch.Tensor) else v for v in (a, b))
    a, b = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    below = np.linalg.norm(a) * np.linalg.norm(b)
    return np.dot(a, b) / below if below > 0 else when_zero
