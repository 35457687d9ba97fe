# cosine_similarity: one minus the cosine
# You returned 1 minus the cosine, which is a distance: 0 for the same direction. The similarity is
# the cosine itself.
def cosine_similarity(a, b):
    a, b = torch.as_tensor(a).float(), torch.as_tensor(b).float()
    below = torch.linalg.norm(a) * torch.linalg.norm(b)
    return 1.0 - (torch.dot(a, b) / below if below else 0.0)
