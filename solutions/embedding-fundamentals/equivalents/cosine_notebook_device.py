# cosine_similarity: both on the notebook's device
# The cell chooses a device, and both vectors are moved there; a tensor of one number comes back.
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def cosine_similarity(a, b):
    a, b = (torch.as_tensor(v).to(device).float() for v in (a, b))
    below = a.norm() * b.norm()
    if below.item() == 0:
        return torch.zeros(1, device=device)
    return torch.einsum("i,i->", a, b) / below
