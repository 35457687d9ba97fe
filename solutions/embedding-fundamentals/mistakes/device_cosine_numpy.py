# cosine_similarity: NumPy for everything
# You turn both vectors into NumPy arrays. NumPy cannot read a tensor on an accelerator: copy it to
# the CPU with `.cpu()` first, or compute with torch.
def cosine_similarity(a, b):
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    lengths = np.linalg.norm(a) * np.linalg.norm(b)
    return np.dot(a, b) / lengths if lengths else 0.0
