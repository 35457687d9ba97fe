# cosine_similarity: the means are taken away first
# You took the mean away from each vector. That is the correlation; the cosine uses the vectors as
# they are.
def cosine_similarity(a, b):
    a, b = torch.as_tensor(a).float(), torch.as_tensor(b).float()
    a, b = a - a.mean(), b - b.mean()
    below = torch.linalg.norm(a) * torch.linalg.norm(b)
    return torch.dot(a, b) / below if below else 0.0
