# cosine_similarity: the means are subtracted first
# You subtracted the mean of each vector. That gives the correlation; the cosine uses the vectors as
# they are.
def cosine_similarity(a, b):
    a, b = torch.as_tensor(a).float(), torch.as_tensor(b).float()
    a, b = a - a.mean(), b - b.mean()
    below = torch.linalg.norm(a) * torch.linalg.norm(b)
    return torch.dot(a, b) / below if below else 0.0
