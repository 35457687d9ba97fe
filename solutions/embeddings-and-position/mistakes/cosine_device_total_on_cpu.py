# cosine_similarity: sums are collected on the CPU
# Your sums start as tensors on the CPU, and the products are added to them in place. That fails on
# an accelerator: start with a plain 0.0, or create the sums on the device of the vectors.
def cosine_similarity(a, b):
    dot, square_a, square_b = torch.tensor(0.0), torch.tensor(0.0), torch.tensor(0.0)
    for x, y in zip(a, b):
        dot += x * y
        square_a += x * x
        square_b += y * y
    lengths = torch.sqrt(square_a) * torch.sqrt(square_b)
    return float(dot / lengths) if lengths > 0 else 0.0


random_emb = nn.Embedding(5, 64)
trained_emb = nn.Embedding(5, 4)
with torch.no_grad():
    trained_emb.weight.copy_(torch.tensor([
        [1.0, 0.9, 0.1, 0.0],
        [0.9, 1.0, 0.0, 0.1],
        [1.1, 0.8, 0.2, 0.1],
        [0.1, 0.0, 1.0, 0.1],
        [0.0, 0.1, 0.1, 1.0],
    ]))
