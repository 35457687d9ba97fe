# cosine_similarity: unit vectors first
# Both vectors are scaled to length one, then multiplied; float32.
def cosine_similarity(a, b):
    a, b = (F.normalize(torch.as_tensor(v).to(torch.float32), dim=0) for v in (a, b))
    return (a * b).sum()
