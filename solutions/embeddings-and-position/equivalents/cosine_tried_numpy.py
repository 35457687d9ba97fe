# cosine_similarity: NumPy, through the CPU where necessary
# A tensor on an accelerator cannot become an array, so it is moved to the CPU.
def cosine_similarity(a, b):
    try:
        a, b = a.numpy(), b.numpy()
    except TypeError:
        a, b = a.cpu().numpy(), b.cpu().numpy()
    below = np.sqrt((a**2).sum() * (b**2).sum())
    return float(a.dot(b) / below) if below else 0.0


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
