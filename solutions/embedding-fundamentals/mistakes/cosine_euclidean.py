# cosine_similarity: a distance instead of the cosine
# You measured the distance between the vectors. The cosine compares their directions: the dot
# product divided by both lengths.
def cosine_similarity(a, b):
    a, b = torch.as_tensor(a).float(), torch.as_tensor(b).float()
    return 1 / (1 + torch.linalg.norm(a - b))
