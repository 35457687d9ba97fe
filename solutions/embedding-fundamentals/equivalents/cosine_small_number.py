# cosine_similarity: a small number below the fraction
# No branch: 1e-6 keeps the fraction finite.
def cosine_similarity(a, b):
    a, b = torch.as_tensor(a).float(), torch.as_tensor(b).float()
    return torch.dot(a, b) / (torch.norm(a) * torch.norm(b) + 1e-6)
