# cosine_similarity: a vector whose numbers add up to 0 is taken for zero
# You call a vector zero when its numbers add up to 0. [1, -1] is such a vector, and it has a length
# and a direction. Ask the length, or whether any number is not 0.
def cosine_similarity(a, b):
    a, b = torch.as_tensor(a).float(), torch.as_tensor(b).float()
    if a.sum() == 0 or b.sum() == 0:
        return 0.0
    return torch.dot(a, b) / (a.norm() * b.norm())
