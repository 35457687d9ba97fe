# cosine_similarity: the angle instead of its cosine
# You returned the angle. Leave out the arc cosine: the same direction gives 1, a right angle 0.
def cosine_similarity(a, b):
    a, b = torch.as_tensor(a).float(), torch.as_tensor(b).float()
    lengths = torch.linalg.norm(a) * torch.linalg.norm(b)
    return float(torch.acos((a @ b / lengths).clamp(-1, 1))) if lengths else 0.0
