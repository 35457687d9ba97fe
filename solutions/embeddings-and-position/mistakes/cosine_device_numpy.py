# cosine_similarity: vectors on an accelerator become NumPy arrays
# You turn the vectors into NumPy arrays, but NumPy cannot read memory of an accelerator. Use only
# torch, or copy the vectors to the CPU first.
def cosine_similarity(a, b):
    a, b = np.asarray(a), np.asarray(b)
    lengths = np.linalg.norm(a) * np.linalg.norm(b)
    return float(a @ b / lengths) if lengths > 0 else 0.0


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
