# cosine_similarity: the minimum divisor is a tensor on the CPU
# The small number that keeps the divisor above zero is a tensor of one element on the CPU. Use a
# plain number, or create it on the device of the vectors.
def cosine_similarity(a, b):
    smallest = torch.tensor([1e-8])
    lengths = torch.linalg.norm(a) * torch.linalg.norm(b)
    return float(a @ b / torch.maximum(lengths, smallest))


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
