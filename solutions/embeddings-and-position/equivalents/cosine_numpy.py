# cosine_similarity: NumPy in float64
# The vectors become float64 arrays, from an accelerator by way of the CPU; a parameter with a
# default is added. The other words of trained_emb point the opposite way.
def cosine_similarity(a, b, when_zero=0.0):
    a, b = np.asarray(a.cpu(), dtype=np.float64), np.asarray(b.cpu(), dtype=np.float64)
    below = np.linalg.norm(a) * np.linalg.norm(b)
    return np.dot(a, b) / below if below else when_zero


random_emb = nn.Embedding(5, 64)
trained_emb = nn.Embedding(5, 4)
trained_emb.weight.data[:] = torch.tensor([1.0, 2.0, 3.0, 4.0]) + 0.1 * torch.rand(5, 4)
trained_emb.weight.data[3:] *= -1
