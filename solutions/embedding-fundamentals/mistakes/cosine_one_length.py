# cosine_similarity: divides by one length
# You divided by the length of the first vector only, so a longer second vector seems more similar.
# Divide by both lengths.
def cosine_similarity(a, b):
    a, b = torch.as_tensor(a).float(), torch.as_tensor(b).float()
    length = torch.linalg.norm(a)
    return torch.dot(a, b) / length if length else 0.0
