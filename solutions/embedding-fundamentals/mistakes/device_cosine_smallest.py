# cosine_similarity: the minimum length is a tensor on the CPU
# You compare the lengths with a tensor that has an axis and is on the CPU. Use a Python number, as
# in `.clamp(min=1e-12)`: it has no device.
def cosine_similarity(a, b):
    a, b = torch.as_tensor(a).float(), torch.as_tensor(b).float()
    smallest = torch.tensor([1e-12])
    lengths = torch.maximum(torch.norm(a) * torch.norm(b), smallest)
    return torch.dot(a, b) / lengths
