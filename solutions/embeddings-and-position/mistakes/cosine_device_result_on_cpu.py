# cosine_similarity: the result is left on the CPU
# You return a tensor on the CPU for vectors that are elsewhere. Leave the result on their
# device, or return a plain float.
def cosine_similarity(a, b):
    return F.cosine_similarity(a, b, dim=0).cpu()


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
