# cosine_similarity: a 0-d tensor on the CPU as the smallest divisor
# A CPU tensor without axes may meet one on an accelerator; the result is a 0-d tensor there.
def cosine_similarity(a, b):
    smallest = torch.tensor(1e-8)
    dot = torch.einsum("i,i->", a, b)
    lengths = (torch.einsum("i,i->", a, a) * torch.einsum("i,i->", b, b)).sqrt()
    return dot / torch.where(lengths > smallest, lengths, smallest)


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
