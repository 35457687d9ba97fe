# cosine_similarity: rounded to whole numbers
# Your function keeps the dtype of its input, so for integers the result is truncated to a whole
# number. Compute in floating point.
def cosine_similarity(a, b):
    x, y = torch.as_tensor(a), torch.as_tensor(b)
    below = torch.sqrt((x * x).sum() * (y * y).sum())
    return (torch.dot(x, y) / below if below else torch.zeros(())).to(x.dtype)
