# cosine_similarity: a branch for tensors, one for arrays
# Tensors go to torch's function and stay where they are; arrays are left to NumPy.
def cosine_similarity(a, b):
    if isinstance(a, torch.Tensor):
        return F.cosine_similarity(a.float(), b.float(), dim=0)
    below = np.linalg.norm(a) * np.linalg.norm(b)
    return np.dot(a, b) / below if below else 0.0
