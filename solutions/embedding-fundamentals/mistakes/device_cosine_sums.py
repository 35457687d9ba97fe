# cosine_similarity: sums that start on the CPU
# Your sums start as `torch.tensor(0.0)` on the CPU, and `+=` adds numbers on the accelerator to
# them. Start with the Python number 0.0, or use `torch.dot`.
def cosine_similarity(a, b):
    dot, first, second = torch.tensor(0.0), torch.tensor(0.0), torch.tensor(0.0)
    for x, y in zip(a, b):
        dot += x * y
        first += x * x
        second += y * y
    lengths = torch.sqrt(first) * torch.sqrt(second)
    return dot / lengths if lengths > 0 else 0.0
