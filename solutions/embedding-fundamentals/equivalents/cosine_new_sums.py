# cosine_similarity: sums that begin on the CPU and move on
# `total = total + x` makes a new tensor, where x is; `+=` could not.
def cosine_similarity(a, b):
    dot, first, second = torch.tensor(0.0), torch.tensor(0.0), torch.tensor(0.0)
    for x, y in zip(a, b):
        dot = dot + x * y
        first = first + x * x
        second = second + y * y
    return dot / (first.sqrt() * second.sqrt()) if first > 0 and second > 0 else 0.0
