# cosine_similarity: NaN for a zero vector
# For right and wrong vectors alike the fraction is right, but a vector of zeros has the length 0,
# and 0 / 0 is NaN. Decide what to return before you divide.
def cosine_similarity(a, b):
    a, b = torch.as_tensor(a).float(), torch.as_tensor(b).float()
    return torch.dot(a, b) / (torch.linalg.norm(a) * torch.linalg.norm(b))
