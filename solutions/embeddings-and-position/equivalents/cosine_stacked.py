# cosine_similarity: both vectors in one matrix
# The vectors are stacked and multiplied with themselves; the angle's cosine is written beside the
# diagonal. A zero vector gets a new zero on the device.
def cosine_similarity(a, b):
    both = torch.stack((a, b)).double()
    products = both @ both.T
    if bool((products.diagonal() == 0).any()):
        return torch.zeros((), device=a.device)
    return products[0, 1] / products.diagonal().prod().sqrt()


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
