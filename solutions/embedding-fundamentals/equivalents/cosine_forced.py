# cosine_similarity: NumPy by force
# `.numpy(force=True)` brings a tensor back from wherever it is.
def cosine_similarity(a, b):
    a, b = (v.numpy(force=True) if torch.is_tensor(v) else v for v in (a, b))
    below = math.sqrt(a @ a) * math.sqrt(b @ b)
    return a @ b / below if below else 0.0
