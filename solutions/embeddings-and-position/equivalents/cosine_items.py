# cosine_similarity: plain numbers by item()
# Each sum becomes a Python number before the division.
def cosine_similarity(a, b):
    dot = sum(x.item() * y.item() for x, y in zip(a, b))
    square_a, square_b = torch.sum(a**2).item(), b.square().sum().item()
    return 0.0 if square_a * square_b == 0 else dot / math.sqrt(square_a * square_b)


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
