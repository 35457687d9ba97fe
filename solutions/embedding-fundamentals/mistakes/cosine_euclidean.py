# cosine_similarity: a distance in place of the angle
# You measured how far the tips of the vectors are apart. The cosine looks at their directions:
# dot product divided by both lengths.
def cosine_similarity(a, b):
    a, b = torch.as_tensor(a).float(), torch.as_tensor(b).float()
    return 1 / (1 + torch.linalg.norm(a - b))
