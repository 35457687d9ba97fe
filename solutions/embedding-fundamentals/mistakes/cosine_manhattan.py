# cosine_similarity: sums of absolute values as lengths
# Your lengths are sums of absolute values. The length of a vector is the square root of the sum of
# its squares.
def cosine_similarity(a, b):
    a, b = torch.as_tensor(a).float(), torch.as_tensor(b).float()
    below = a.abs().sum() * b.abs().sum()
    return torch.dot(a, b) / below if below else 0.0
