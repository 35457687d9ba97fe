# cosine_similarity: negative cosines become 0
# You replaced negative cosines by 0. Opposite directions give -1.
def cosine_similarity(a, b):
    a, b = torch.as_tensor(a).float(), torch.as_tensor(b).float()
    lengths = torch.linalg.norm(a) * torch.linalg.norm(b)
    return max(0.0, float(a @ b / lengths)) if lengths else 0.0
