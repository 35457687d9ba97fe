# cosine_similarity: the device is chosen by what the machine has
# You move the first vector to an accelerator if the machine has one, but the second stays where it
# is. Use the device of the vectors, not what the machine has.
def cosine_similarity(a, b):
    device = "cuda" if torch.cuda.is_available() else "cpu"
    a = torch.as_tensor(a, dtype=torch.float32, device=device)
    lengths = torch.linalg.norm(a) * torch.linalg.norm(b)
    return float(torch.dot(a, b) / lengths) if lengths > 0 else 0.0


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
