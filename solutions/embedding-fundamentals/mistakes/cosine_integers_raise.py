# cosine_similarity: integer tensors have no norm
# A tensor of integers has no norm, so your function raises an error. Convert both vectors to
# floating point first.
def cosine_similarity(a, b):
    a, b = torch.as_tensor(a), torch.as_tensor(b)
    below = torch.norm(a) * torch.norm(b)
    return float(torch.dot(a, b) / below) if below > 0 else 0.0
