# cosine_similarity: the sign is lost
# You took the absolute value. Opposite directions have the cosine -1: keep the sign.
def cosine_similarity(a, b):
    a, b = torch.as_tensor(a).float(), torch.as_tensor(b).float()
    below = torch.linalg.norm(a) * torch.linalg.norm(b)
    return torch.dot(a, b).abs() / below if below else 0.0
