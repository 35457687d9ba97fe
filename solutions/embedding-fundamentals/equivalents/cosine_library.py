# cosine_similarity: the library's function
# Converted to float32 tensors first; the small number below the fraction handles zeros.
def cosine_similarity(a, b):
    a = torch.as_tensor(a, dtype=torch.float32)
    b = torch.as_tensor(b, dtype=torch.float32)
    return F.cosine_similarity(a, b, dim=0).item()
