# cosine_similarity: one vector is created again
# You create one of the vectors again, from a list, and the new one is on the CPU while the other is
# still on the accelerator. `torch.as_tensor(a)` leaves a tensor where it is.
def cosine_similarity(a, b):
    a = torch.tensor(a.tolist(), dtype=torch.float32)
    b = torch.as_tensor(b).float()
    lengths = a.norm() * b.norm()
    return torch.dot(a, b) / lengths if lengths else 0.0
