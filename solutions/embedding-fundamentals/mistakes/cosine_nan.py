# cosine_similarity: NaN for a zero vector
# For other vectors your result is right, but a vector of zeros has length 0, and 0 / 0 is NaN.
# Decide what to return before you divide.
def cosine_similarity(a, b):
    a, b = torch.as_tensor(a).float(), torch.as_tensor(b).float()
    return torch.dot(a, b) / (torch.linalg.norm(a) * torch.linalg.norm(b))
